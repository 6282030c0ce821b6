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

/** How an element with an optional end tag ends. */
interface Ends {
  /** Elements whose start tag ends it. */
  before: ReadonlySet<string>;
  /** Ancestors whose end tag ends it. */
  within: ReadonlySet<string>;
  /** The list or table that it belongs to. A nested one has its own parts. */
  whole: ReadonlySet<string>;
}

const ends = (before: string, within: string, whole: string): Ends => ({
  before: new Set(before.split(" ")),
  within: new Set([...within.split(" "), ...whole.split(" ")]),
  whole: new Set(whole.split(" ")),
});
const CELL = ends("td th tr tbody tfoot", "tr tbody thead", "table");
const ROW = ends("tr tbody tfoot", "tbody thead", "table");
const TERM = ends("dt dd", "dl", "dl");
const OPTIONAL_ENDS: ReadonlyMap<string, Ends> = new Map([
  ["p", ends([...BLOCKS, "hr"].join(" "), [...BLOCKS, "td", "th"].join(" "), "")],
  ["li", ends("li", "ul ol", "ul ol")],
  ["td", CELL],
  ["th", CELL],
  ["tr", ROW],
  ["dt", TERM],
  ["dd", TERM],
]);

/** An open element that hides its content. */
export interface Hidden {
  name: string;
  /** Number of open elements with its name, including itself. */
  depth: number;
  /** Number of open lists or tables inside it. */
  nested: number;
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
  VOID.has(name) ? undefined : { name, depth: 1, nested: 0 };

/**
 * Processes a token inside a hidden element. Returns "hidden", "ended" for the end of the element,
 * or "outside" for a token that follows its omitted end tag.
 */
export function passHidden(
  hidden: Hidden,
  { kind, name }: HtmlToken,
): "hidden" | "ended" | "outside" {
  const optional = OPTIONAL_ENDS.get(hidden.name);
  if (kind === "startTag") {
    if (hidden.nested === 0 && optional?.before.has(name)) return "outside";
    if (optional?.whole.has(name)) hidden.nested++;
    if (name === hidden.name) hidden.depth++;
  } else if (kind === "endTag") {
    if (name === hidden.name) return --hidden.depth === 0 ? "ended" : "hidden";
    if (hidden.nested === 0) return optional?.within.has(name) ? "outside" : "hidden";
    if (optional?.whole.has(name)) hidden.nested--;
  }
  return "hidden";
}
