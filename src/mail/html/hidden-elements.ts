/** Tracks hidden elements, those with `hidden` or `display:none`, up to their end. */
import { decodeEntities } from "./entities.ts";
import { attributeOf, type HtmlToken } from "./tokenize.ts";

/** Block elements, which end a paragraph (WHATWG HTML 13.1.2.4). */
export const BLOCKS: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre figure fieldset div tr li dt dd section article header footer main nav aside center address form caption".split(
    " ",
  ),
);
const VOID = new Set("area br col embed hr img input link meta source track wbr".split(" "));

/** An open element that hides its content. */
export interface Hidden {
  name: string;
  /** Number of open elements with its name, including itself. */
  depth: number;
}

const HIDDEN_STYLE = /display\s*:\s*none/i;

/** Returns true if a start tag hides its element. */
export function isHidden(html: string, token: HtmlToken): boolean {
  if (token.attributes.length === 0) return false;
  if (attributeOf(html, token, "hidden") !== undefined) return true;
  const style = attributeOf(html, token, "style");
  return style !== undefined && HIDDEN_STYLE.test(decodeEntities(style, "attribute"));
}

/** Starts to hide an element; undefined for a void element. */
export const hide = (name: string): Hidden | undefined =>
  VOID.has(name) ? undefined : { name, depth: 1 };

/**
 * Processes a token inside a hidden element. Returns "hidden", "ended" for the end of the element,
 * or "outside" for a block that ends a paragraph without an end tag. Other elements must have
 * theirs.
 */
export function passHidden(
  hidden: Hidden,
  { kind, name }: HtmlToken,
): "hidden" | "ended" | "outside" {
  if (kind === "startTag" && hidden.name === "p" && BLOCKS.has(name)) return "outside";
  if (name !== hidden.name) return "hidden";
  if (kind === "startTag") hidden.depth++;
  return kind === "endTag" && --hidden.depth === 0 ? "ended" : "hidden";
}
