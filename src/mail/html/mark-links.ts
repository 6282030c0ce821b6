/**
 * Finds the links of a template once, so that rendering each mail needs no HTML parser.
 *
 * Each link in the template's source is enclosed in two marks. The marks and any variables between
 * them pass through rendering, and `fillLinks` finds them in the rendered mail. This is correct
 * only if no data can change how a parser reads the surrounding HTML (WHATWG HTML section 13.2.5):
 * escaped variables in text, quoted attribute values, comments and style sheets, and blocks that
 * begin and end in the same context. `markLinks` reports any other template as unknowable; its
 * mails are parsed one by one.
 */
import { fromBase64Url, toBase64Url } from "../../lib/encoding.ts";
import { escapeAmpersands } from "./entities.ts";
import {
  asBadRequest,
  LINKS,
  tagOf,
  trackableUrl,
  type RewriteOptions,
  type TrackLink,
} from "./rewrite-links.ts";
import { countMasks, isBalanced, MASK, maskTags, unmaskTags } from "./template-tags.ts";
import { attributeOf, tokenizeHtml, type HtmlToken } from "./tokenize.ts";

/** The two marks around a link; their text occurs nowhere else. */
export interface LinkMarks {
  open: string;
  close: string;
  /** Separates a link from its tag in base64url. */
  tag: string;
}

export type MarkedTemplate = { kind: "marked"; html: string } | { kind: "unknowable" };

/**
 * Creates marks from an unguessable word that neither HTML nor templates change. Even if the word
 * leaks, variables cannot forge a mark, because rendering escapes its `=`.
 */
export function linkMarks(secretWord: string): LinkMarks {
  return { open: `[[${secretWord}=(`, close: `)=${secretWord}]]`, tag: `)=${secretWord}=(` };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/**
 * Encloses every trackable link of a template's source in marks. Throws 400 for HTML that the
 * parser rejects.
 */
export async function markLinks(source: string, marks: LinkMarks): Promise<MarkedTemplate> {
  const masking = maskTags(source);
  if (masking.kind === "unknown" || !isReadTheSame(masking.template.text))
    return { kind: "unknowable" };
  const { text, tags } = masking.template;
  const found: string[] = [];
  let hasVariableTag = false;
  const rewriter = new HTMLRewriter().on(LINKS, {
    element(element) {
      const value = element.getAttribute("href") ?? "";
      found.push(value);
      if (!MASK.test(value) && trackableUrl(value) === undefined) return;
      const given = element.getAttribute("data-tag");
      hasVariableTag ||= given !== null && MASK.test(given);
      const tag = tagOf(given);
      if (given !== null) element.removeAttribute("data-tag");
      const mark = tag === undefined ? "" : marks.tag + toBase64Url(encoder.encode(tag));
      element.setAttribute("href", marks.open + value + mark + marks.close);
    },
  });
  const bytes = await rewriter.transform(new Response(text)).arrayBuffer().catch(asBadRequest);
  const html = decoder.decode(bytes);
  // The parser must have seen exactly what the checks above saw.
  if (hasVariableTag) return { kind: "unknowable" };
  const isAgreed = countMasks(html) === tags.length && isSameList(found, linksOf(text));
  if (!isAgreed) return { kind: "unknowable" };
  return { kind: "marked", html: unmaskTags({ text: html, tags }) };
}

const isSameList = (one: string[], other: string[]) =>
  one.length === other.length && one.every((value, index) => value === other[index]);

function linksOf(text: string): string[] {
  const links: string[] = [];
  for (const token of tokenizeHtml(text)) {
    const { kind, name, closed } = token;
    if (kind !== "startTag" || !closed || (name !== "a" && name !== "area")) continue;
    const href = attributeOf(text, token, "href");
    const isTracked = attributeOf(text, token, "data-no-track") === undefined;
    if (href !== undefined && isTracked) links.push(href);
  }
  return links;
}

/**
 * Elements with special parsing rules: the parser sees no markup in `noscript`; in the other two no
 * element is raw, and CDATA sections exist.
 */
const ISLANDS = new Set(["math", "noscript", "svg"]);
/** A comment end that this tokenizer does not support. */
const ODD_COMMENT_END = "--!>";

/** Returns true if a masked template parses the same whatever its variables and blocks produce. */
function isReadTheSame(text: string): boolean {
  if (text.includes(ODD_COMMENT_END)) return false;
  let island: HtmlToken | undefined;
  for (const token of tokenizeHtml(text)) {
    const { kind, name, start, end } = token;
    const piece = text.slice(start, end);
    if (name === "plaintext" || (MASK.test(piece) && !isTokenKept(token, piece))) return false;
    if (kind === "startTag" && ISLANDS.has(name)) {
      if (island) return false;
      island = token;
    } else if (island && kind === "endTag" && name === island.name) {
      if (!isIslandKept(name, text.slice(island.start, end))) return false;
      island = undefined;
    } else if (island && (kind === "raw" || piece.startsWith("<!["))) return false;
  }
  return island === undefined;
}

function isIslandKept(name: string, island: string): boolean {
  if (name !== "noscript") return isBalanced(island);
  return !MASK.test(island) && island.match(/<\/noscript/gi)?.length === 1;
}

/** A `<` that the following text may turn into markup, or markup with an incomplete name. */
const OPENS_MARKUP = /<[^\s<>\ufdd0-\ufdd3]*\s*[\ufdd0-\ufdd3]/;
/**
 * A position where data or a skipped block may start a comment, or end one together with the text
 * after it.
 */
const EDGE_OF_COMMENT = /^<[!/]-?\s*[\ufdd0-\ufdd3]|[\ufdd0-\ufdd3]\s*-?!?>/;

function isTokenKept({ kind, name, closed }: HtmlToken, piece: string): boolean {
  if (kind === "text") return !OPENS_MARKUP.test(piece);
  if (!closed || !isBalancedInside(kind, piece)) return false;
  if (kind === "comment") return !EDGE_OF_COMMENT.test(piece);
  if (kind === "endTag") return false;
  const tag = TAG.exec(piece)?.[0];
  if (tag === undefined || MASK.test(tag.replace(QUOTED_VALUE, ""))) return false;
  if (kind === "startTag") return tag === piece;
  return name !== "script" && !OPENS_MARKUP.test(piece.slice(tag.length));
}

/**
 * A start tag in which every quote delimits an attribute value. Each character matches in only one
 * way, which keeps the pattern linear.
 */
const TAG =
  /^<[a-z][^\t\n\f\r />"'=<]*(?:[\t\n\f\r ]+[^\t\n\f\r />"'=<]+(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*"|'[^']*'|[^\t\n\f\r >"'=<`]+))?)*[\t\n\f\r ]*\/?>/i;
const QUOTED_VALUE = /"[^"]*"|'[^']*'/g;

function isBalancedInside(kind: HtmlToken["kind"], piece: string): boolean {
  if (kind !== "startTag" && kind !== "raw") return isBalanced(piece);
  const tag = TAG.exec(piece)?.[0] ?? "";
  const values = tag.match(QUOTED_VALUE) ?? [];
  return values.every(isBalanced) && isBalanced(piece.slice(tag.length));
}

/** Returns a function that strips the marks from a raw `href` of a rendered mail. */
export function markedHref({ open, close, tag }: LinkMarks): (href: string) => string {
  return (href) => {
    if (!href.startsWith(open) || !href.endsWith(close)) return href;
    const [value = ""] = href.slice(open.length, -close.length).split(tag);
    return value;
  };
}

/**
 * Replaces every marked link of a rendered mail with the URL from `track`, as `rewriteLinks` would,
 * and removes the marks. Linear, without parsing.
 */
export async function fillLinks(
  html: string,
  marks: LinkMarks,
  track: TrackLink,
  options: RewriteOptions = {},
): Promise<string> {
  const pieces: string[] = [];
  let position = 0;
  for (;;) {
    const open = html.indexOf(marks.open, position);
    const start = open + marks.open.length;
    const end = open === -1 ? -1 : html.indexOf(marks.close, start);
    if (end === -1) break;
    const value = html.slice(start, end);
    pieces.push(html.slice(position, open), await target(value, marks, track, options));
    position = end + marks.close.length;
  }
  return pieces.join("") + html.slice(position);
}

/** Resolves one link. Replaces lone surrogates, which `rewriteLinks` never sees in its UTF-8. */
async function target(
  marked: string,
  marks: LinkMarks,
  track: TrackLink,
  { skip }: RewriteOptions,
): Promise<string> {
  const [value = "", encodedTag = ""] = marked.split(marks.tag);
  const url = trackableUrl(value.toWellFormed());
  if (url === undefined || skip?.(url)) return value;
  const tag = fromBase64Url(encodedTag);
  const hasTag = tag.ok && encodedTag !== "";
  const tracked = await track(url, hasTag ? decoder.decode(tag.bytes) : undefined);
  return tracked === undefined ? value : escapeAttribute(tracked);
}

/** Escapes a value as the parser writes it between double quotes. */
const escapeAttribute = (text: string) => escapeAmpersands(text).replaceAll('"', "&quot;");
