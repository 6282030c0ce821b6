/**
 * Generates the plain text part of an HTML mail in one pass over the tokens with bounded state.
 * Hostile HTML costs linear time and output, and no stack.
 */
import { decodeEntities } from "./entities.ts";
import { BLOCKS, type Hidden, hide, isHidden, passHidden } from "./hidden-elements.ts";
import { urlText } from "./rewrite-links.ts";
import { createTextWriter, type TextWriter } from "./text-writer.ts";
import { attributeOf, type HtmlToken, tokenizeHtml } from "./tokenize.ts";

/** Elements with a blank line before and after; other blocks begin and end a line. */
const PARAGRAPHS = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre figure fieldset".split(" "),
);
const LINKS = new Set(["a", "area"]);
const CELL_SEPARATOR = " | ";
const RULE = "----";
/** Maximum indentation of nested lists, in levels; deeper lists stay at this one. */
const MAX_INDENT_LEVELS = 8;

/** Open elements and lists at one point of the document. */
interface State {
  html: string;
  writer: TextWriter;
  /** Next item numbers of the open lists; undefined for a bulleted list. */
  lists: (number | undefined)[];
  link: { url: string; mark: number } | undefined;
  hidden: Hidden | undefined;
  preformattedDepth: number;
}

/** An HTML document as a mail needs it. */
export interface ReadHtml {
  /** What a reader sees, as plain text. */
  text: string;
  /**
   * Offset at which to insert additions: the last `</body>` that is markup, or the end. Without
   * one, the start of a comment, tag or element that never closes and would swallow whatever
   * follows.
   */
  bodyEnd: number;
  /** Offset of the first content: after the start tag of the body, or after head and doctype. */
  bodyStart: number;
  /** The start tags of its links, also of hidden ones. */
  linkTags: HtmlToken[];
}

/**
 * Converts an HTML document to text: paragraphs, lists, table rows as lines with ` | ` between
 * cells, links as `text (url)` unless both are equal, and alternative texts of images. Drops
 * styles, scripts, comments and hidden elements. Lines end in LF and do not wrap.
 */
export const htmlToText = (html: string): string => readHtml(html).text;

/** Reads an HTML document in one pass. */
export function readHtml(html: string): ReadHtml {
  const state: State = {
    html,
    writer: createTextWriter(),
    lists: [],
    link: undefined,
    hidden: undefined,
    preformattedDepth: 0,
  };
  const linkTags: HtmlToken[] = [];
  let bodyEnd: number | undefined;
  let bodyStart = 0;
  let hasBody = false;
  let end = html.length;
  for (const token of tokenizeHtml(html)) {
    if (token.kind === "endTag" && token.name === "body") bodyEnd = token.start;
    if (!hasBody && token.closed && precedesContent(html, token)) {
      bodyStart = token.end;
      hasBody = token.name === "body";
    }
    if (!token.closed) end = token.start;
    else if (token.kind === "startTag" && LINKS.has(token.name)) linkTags.push(token);
    if (!staysHidden(state, token)) writeToken(state, token);
  }
  closeLink(state);
  const text = state.writer.textSince(0);
  const isSpaced = text.includes("\n\n\n");
  return {
    text: (isSpaced ? text.replace(/\n{3,}/g, "\n\n") : text).trim(),
    bodyEnd: bodyEnd ?? end,
    bodyStart,
    linkTags,
  };
}

const OPENING = new Set(["html", "head", "body"]);

/** Returns true for the tags before the content of a document, and its doctype. */
function precedesContent(html: string, { kind, name, start }: HtmlToken): boolean {
  if (kind === "startTag") return OPENING.has(name);
  if (kind === "endTag") return name === "head";
  return kind === "comment" && /^<!doctype/i.test(html.slice(start, start + 9));
}

function staysHidden(state: State, token: HtmlToken): boolean {
  if (!state.hidden) return false;
  const place = passHidden(state.hidden, token);
  if (place !== "hidden") state.hidden = undefined;
  return place !== "outside";
}

function writeToken(state: State, token: HtmlToken): void {
  const { kind, start, end, closed, name } = token;
  if (kind === "text") writeText(state, state.html.slice(start, end));
  else if (kind === "startTag" && closed) openElement(state, token);
  else if (kind === "endTag") closeElement(state, name);
}

function writeText(state: State, source: string): void {
  const text = decodeEntities(source, "text");
  if (state.preformattedDepth > 0) state.writer.writePreformatted(text);
  else state.writer.write(text);
}

function openElement(state: State, token: HtmlToken): void {
  const { html, writer, lists } = state;
  const { name } = token;
  if (isHidden(html, token)) {
    state.hidden = hide(name);
    return;
  }
  const attribute = (key: string) => attributeOf(html, token, key);
  breakAround(state, name);
  if (name === "br") writer.addLineBreak();
  else if (name === "hr") writeRule(writer);
  else if (name === "img") writer.write(decoded(attribute("alt")));
  else if (name === "td" || name === "th") writer.separate(CELL_SEPARATOR);
  else if (name === "ul") lists.push(undefined);
  else if (name === "ol") lists.push(integerIn(attribute("start")) ?? 1);
  else if (name === "li") writer.lead(itemMarker(lists, integerIn(attribute("value"))));
  else if (name === "pre") state.preformattedDepth++;
  else if (name === "a") openLink(state, attribute("href"));
  else if (name === "area") writeArea(state, attribute("href"), attribute("alt"));
}

function closeElement(state: State, name: string): void {
  if (name === "a") closeLink(state);
  if (name === "ul" || name === "ol") state.lists.pop();
  if (name === "pre") state.preformattedDepth = Math.max(0, state.preformattedDepth - 1);
  breakAround(state, name);
}

function breakAround({ writer, lists }: State, name: string): void {
  if (!BLOCKS.has(name)) return;
  const isNestedList = (name === "ul" || name === "ol") && lists.length > 0;
  writer.breakLines(PARAGRAPHS.has(name) && !isNestedList ? 2 : 1);
}

function writeRule(writer: TextWriter): void {
  writer.breakLines(2);
  writer.write(RULE);
  writer.breakLines(2);
}

/** Returns the marker of the next item; `value` is its explicit number in a numbered list. */
function itemMarker(lists: State["lists"], value: number | undefined): string {
  const level = Math.max(0, Math.min(lists.length, MAX_INDENT_LEVELS) - 1);
  const next = lists.at(-1);
  const number = next === undefined ? undefined : (value ?? next);
  if (number !== undefined) lists[lists.length - 1] = number + 1;
  return `${"  ".repeat(level)}${number === undefined ? "-" : `${number}.`} `;
}

/** Parses an integer as HTML does (section 2.3.4.1); undefined for anything else. */
function integerIn(value: string | undefined): number | undefined {
  const digits = /^\s*([+-]?\d{1,9})/.exec(value ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Links worth showing in plain text. */
const SHOWN_LINK = /^(?:https?|mailto|tel):/i;

/** Starts a link. Links do not nest: as in a browser, a second one ends the first. */
function openLink(state: State, href: string | undefined): void {
  closeLink(state);
  if (href === undefined) return;
  const url = urlText(href).replaceAll(" ", "%20");
  if (SHOWN_LINK.test(url)) state.link = { url, mark: state.writer.mark() };
}

function closeLink(state: State): void {
  const { link, writer } = state;
  if (!link) return;
  state.link = undefined;
  const label = writer.textSince(link.mark).trim();
  if (label === "") writer.write(link.url);
  else if (!isSameUrl(label, link.url)) writer.append(` (${link.url})`);
}

/** Writes the link of an image-map area on its own line. */
function writeArea(state: State, href: string | undefined, alt: string | undefined): void {
  if (href === undefined) return;
  state.writer.breakLines(1);
  openLink(state, href);
  state.writer.write(decoded(alt));
  closeLink(state);
  state.writer.breakLines(1);
}

/** Maximum number of characters that `bareUrl` removes: a scheme and a slash. */
const STRIPPED_MOST = "https://".length + 1;

/** Returns true if the text of a link shows its URL. */
const isSameUrl = (label: string, url: string) =>
  Math.abs(label.length - url.length) <= STRIPPED_MOST && bareUrl(label) === bareUrl(url);

/**
 * Strips a URL to the form that people write, for comparison with a link's text. The case of a host
 * or an address is ignored, that of a path is not.
 */
const bareUrl = (url: string) =>
  url
    .replace(/^(?:https?:\/\/|mailto:|tel:)/i, "")
    .replace(/^[^/?#]*/, (host) => host.toLowerCase())
    .replace(/\/$/, "");

const decoded = (value: string | undefined) => decodeEntities(value ?? "", "attribute");
