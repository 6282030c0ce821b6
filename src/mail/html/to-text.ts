/**
 * Makes the plain text part of an HTML mail in one pass over the tokens with bounded state. Hostile
 * HTML costs linear time and output, and no stack.
 */
import { decodeEntities } from "./entities.ts";
import { createTextWriter, type TextWriter } from "./text-writer.ts";
import { type HtmlToken, tokenizeHtml } from "./tokenize.ts";

/** Elements with a blank line before and after. */
const PARAGRAPHS = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre figure fieldset".split(" "),
);
/** Elements that begin and end a line. */
const LINES = new Set(
  "div tr li dt dd section article header footer main nav aside center address form caption".split(
    " ",
  ),
);
/** Elements whose end tag is mandatory, so that the end of hidden content is certain. */
const HIDEABLE = new Set(["div", "span", "table", "tr", "td"]);
const HIDDEN_STYLE = /display\s*:\s*none/i;
const CELL_SEPARATOR = " | ";
const RULE = "----";
/** Deepest indentation of a nested list, in levels; deeper lists stay at this one. */
const MAX_INDENT_LEVELS = 8;

/** Open elements and lists at one point of the document. */
interface State {
  writer: TextWriter;
  /** Next item numbers of the open lists; 0 for a bulleted list. */
  lists: number[];
  link: { url: string; mark: number } | undefined;
  /** Open elements with the same name inside the one that hides its content. */
  hidden: { name: string; depth: number } | undefined;
  preformattedDepth: number;
}

/**
 * Converts an HTML document to text: paragraphs, lists, table rows as lines with ` | ` between
 * cells, links as `text (url)` unless both are equal, alternative texts for images. It drops
 * styles, scripts, comments and elements with `display:none`. Lines end in LF and do not wrap.
 */
export function htmlToText(html: string): string {
  const state: State = {
    writer: createTextWriter(),
    lists: [],
    link: undefined,
    hidden: undefined,
    preformattedDepth: 0,
  };
  for (const token of tokenizeHtml(html)) {
    if (state.hidden) trackHidden(state, token);
    else if (token.kind === "text") writeText(state, html.slice(token.start, token.end));
    else if (token.kind === "startTag" && token.closed) openElement(state, token);
    else if (token.kind === "endTag") closeElement(state, token.name);
  }
  closeLink(state);
  return state.writer
    .textSince(0)
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function trackHidden(state: State, token: HtmlToken): void {
  if (!state.hidden || token.name !== state.hidden.name) return;
  if (token.kind === "startTag") state.hidden.depth++;
  if (token.kind === "endTag") state.hidden.depth--;
  if (state.hidden.depth === 0) state.hidden = undefined;
}

function writeText(state: State, source: string): void {
  const text = decodeEntities(source, "text");
  if (state.preformattedDepth > 0) state.writer.writePreformatted(text);
  else state.writer.write(text);
}

function openElement(state: State, token: HtmlToken): void {
  const { writer } = state;
  const { name } = token;
  if (HIDEABLE.has(name) && HIDDEN_STYLE.test(attribute(token, "style"))) {
    state.hidden = { name, depth: 1 };
    return;
  }
  breakAround(state, name);
  if (name === "br") writer.addLineBreak();
  else if (name === "hr") writeRule(writer);
  else if (name === "img") writer.write(attribute(token, "alt"));
  else if (name === "td" || name === "th") writer.separate(CELL_SEPARATOR);
  else if (name === "ul") state.lists.push(0);
  else if (name === "ol") state.lists.push(1);
  else if (name === "li") writer.lead(itemMarker(state.lists));
  else if (name === "pre") state.preformattedDepth++;
  else if (name === "a") openLink(state, attribute(token, "href"));
}

function closeElement(state: State, name: string): void {
  if (name === "a") closeLink(state);
  if (name === "ul" || name === "ol") state.lists.pop();
  if (name === "pre") state.preformattedDepth = Math.max(0, state.preformattedDepth - 1);
  breakAround(state, name);
}

function breakAround({ writer, lists }: State, name: string): void {
  const isNestedList = (name === "ul" || name === "ol") && lists.length > 0;
  if (LINES.has(name) || isNestedList) writer.breakLines(1);
  else if (PARAGRAPHS.has(name)) writer.breakLines(2);
}

function writeRule(writer: TextWriter): void {
  writer.breakLines(2);
  writer.write(RULE);
  writer.breakLines(2);
}

function itemMarker(lists: number[]): string {
  const level = Math.max(0, Math.min(lists.length, MAX_INDENT_LEVELS) - 1);
  const number = lists.at(-1) ?? 0;
  if (number > 0) lists[lists.length - 1] = number + 1;
  return `${"  ".repeat(level)}${number > 0 ? `${number}.` : "-"} `;
}

/** Links worth showing in plain text; a template variable may hold one. */
const SHOWN_LINK = /^(?:(?:https?|mailto|tel):|\{\{)/i;

/** Begins a link. Links do not nest: as in a browser, a second one ends the first. */
function openLink(state: State, href: string): void {
  closeLink(state);
  const url = href.replace(/[\t\n\r]/g, "").trim();
  const isWorthShowing = SHOWN_LINK.test(url);
  state.link = isWorthShowing ? { url, mark: state.writer.mark() } : undefined;
}

function closeLink(state: State): void {
  const { link, writer } = state;
  if (!link) return;
  state.link = undefined;
  const label = writer.textSince(link.mark).trim();
  if (label === "") writer.write(link.url);
  else if (bareUrl(label) !== bareUrl(link.url)) writer.append(` (${link.url})`);
}

/** Strips a URL to the form that people write, to compare it with a link's text. */
const bareUrl = (url: string) =>
  url
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:|tel:)/, "")
    .replace(/\/$/, "");

const attribute = (token: HtmlToken, name: string) =>
  decodeEntities(token.attributes.get(name) ?? "", "attribute");
