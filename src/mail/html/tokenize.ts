/**
 * Splits HTML into tags, comments and text (the parts of WHATWG HTML section 13.2.5 that mail
 * needs), in one pass without recursion. An unclosed token extends to the end of the document.
 * Hostile input therefore costs linear time and no stack.
 */

/** A token of a document: `html.slice(start, end)`. Tokens are contiguous. */
export interface HtmlToken {
  /** `raw` is an element including its content, which is not markup, such as style and script. */
  kind: "text" | "startTag" | "endTag" | "raw" | "comment";
  /** Lowercase tag name; "" for text and comments. */
  name: string;
  start: number;
  end: number;
  /** False if the document ends before the token does. */
  closed: boolean;
  /**
   * Attributes of start tags and raw elements, for `attributeOf`: the start and end of each name
   * and value.
   */
  attributes: readonly number[];
  /** Start of the content of a raw element: `html.slice(contentStart, contentEnd)`. */
  contentStart?: number;
  contentEnd?: number;
}

const RAW_ELEMENTS = new Set([
  "iframe",
  "noembed",
  "noframes",
  "script",
  "style",
  "textarea",
  "title",
  "xmp",
]);
const NO_ATTRIBUTES: readonly number[] = [];

const SPACE = 0x20;
const LAST_ASCII = 0x7f;
const DOUBLE_QUOTE = 0x22;
const EXCLAMATION = 0x21;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;
const LETTER_A = 0x61;
const LETTER_Z = 0x7a;

/** Equivalent to the pattern `\s`. */
const isSpace = (code: number) =>
  code <= SPACE
    ? code === SPACE || (code >= 0x09 && code <= 0x0d)
    : code > LAST_ASCII && /\s/.test(String.fromCharCode(code));

/** Yields the tokens of a document in order. Linear in its length. */
export function* tokenizeHtml(html: string): Generator<HtmlToken> {
  let position = 0;
  while (position < html.length) {
    const markup = nextMarkup(html, position);
    if (markup > position) yield simple("text", position, markup, true);
    if (markup === html.length) return;
    const token = readMarkup(html, markup);
    yield token;
    position = token.end;
  }
}

/** Finds the next `<` that starts markup; any other is text. */
function nextMarkup(html: string, from: number): number {
  let at = html.indexOf("<", from);
  while (at !== -1 && !beginsMarkup(html.charCodeAt(at + 1))) at = html.indexOf("<", at + 1);
  return at === -1 ? html.length : at;
}

const beginsMarkup = (code: number) =>
  isLetter(code) || code === SLASH || code === EXCLAMATION || code === QUESTION;

const isLetter = (code: number) => (code | SPACE) >= LETTER_A && (code | SPACE) <= LETTER_Z;

function readMarkup(html: string, start: number): HtmlToken {
  const code = html.charCodeAt(start + 1);
  const isEndTag = code === SLASH;
  if (!isLetter(isEndTag ? html.charCodeAt(start + 2) : code))
    return html.startsWith("<!--", start)
      ? readComment(html, start)
      : upTo(">", html, start, start + 1);
  const token = readTag(html, start, isEndTag ? "endTag" : "startTag");
  return !isEndTag && token.closed && RAW_ELEMENTS.has(token.name)
    ? readRawElement(html, token)
    : token;
}

/**
 * Reads a comment. `<!-->` and `<!--->` are complete comments, so the end may overlap the hyphens
 * of the start.
 */
function readComment(html: string, start: number): HtmlToken {
  return upTo("-->", html, start, start + 2);
}

function upTo(terminator: string, html: string, start: number, from: number): HtmlToken {
  const at = html.indexOf(terminator, from);
  return at === -1
    ? simple("comment", start, html.length, false)
    : simple("comment", start, at + terminator.length, true);
}

/** Reads a tag. A loop over characters takes a third of the time of regular expressions. */
function readTag(html: string, start: number, kind: "startTag" | "endTag"): HtmlToken {
  const { length } = html;
  const nameStart = start + (kind === "endTag" ? 2 : 1);
  let at = nameStart;
  let code = html.charCodeAt(at);
  while (at < length && code !== SLASH && code !== GREATER && !isSpace(code))
    code = html.charCodeAt(++at);
  const name = html.slice(nameStart, at).toLowerCase();
  let attributes: number[] | undefined;
  for (;;) {
    while (code === SLASH || isSpace(code)) code = html.charCodeAt(++at);
    if (at >= length || code === GREATER) break;
    const keyStart = at;
    do code = html.charCodeAt(++at);
    while (at < length && code !== EQUALS && code !== SLASH && code !== GREATER && !isSpace(code));
    const keyEnd = at;
    while (isSpace(code)) code = html.charCodeAt(++at);
    let valueStart = at;
    let valueEnd = at;
    if (code === EQUALS) {
      do code = html.charCodeAt(++at);
      while (isSpace(code));
      valueStart = at;
      if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
        const quote = html.indexOf(code === DOUBLE_QUOTE ? '"' : "'", ++valueStart);
        valueEnd = quote === -1 ? length : quote;
        at = quote === -1 ? length : quote + 1;
        code = html.charCodeAt(at);
      } else {
        while (at < length && code !== GREATER && !isSpace(code)) code = html.charCodeAt(++at);
        valueEnd = at;
      }
    }
    attributes ??= [];
    attributes.push(keyStart, keyEnd, valueStart, valueEnd);
  }
  const closed = at < length;
  const end = closed ? at + 1 : length;
  return { kind, name, start, end, closed, attributes: attributes ?? NO_ATTRIBUTES };
}

/** An attribute of an element: `html.slice(start, end)`, and its raw value, "" if it has none. */
export interface Attribute {
  start: number;
  end: number;
  value: string;
}

/**
 * Finds an attribute; undefined if the element does not have it. `wanted` is in lowercase. The
 * first of several attributes wins.
 */
export function findAttribute(
  html: string,
  { attributes }: Pick<HtmlToken, "attributes">,
  wanted: string,
): Attribute | undefined {
  for (let at = 0; at < attributes.length; at += 4) {
    const [start = 0, keyEnd = 0] = [attributes[at], attributes[at + 1]];
    if (keyEnd - start !== wanted.length || html.slice(start, keyEnd).toLowerCase() !== wanted)
      continue;
    const [from = keyEnd, to = keyEnd] = [attributes[at + 2], attributes[at + 3]];
    const isQuoted = /["']/.test(html.charAt(from - 1));
    return { start, end: isQuoted ? to + 1 : to, value: html.slice(from, to) };
  }
  return undefined;
}

/** Returns the raw value of an attribute, like `findAttribute`. */
export function attributeOf(
  html: string,
  token: Pick<HtmlToken, "attributes">,
  wanted: string,
): string | undefined {
  return findAttribute(html, token, wanted)?.value;
}

/** Reads up to and including the end tag of the same name. */
function readRawElement(html: string, startTag: HtmlToken): HtmlToken {
  const { name, end: contentStart } = startTag;
  const raw = (contentEnd: number, end: number, closed: boolean): HtmlToken =>
    Object.assign(startTag, { kind: "raw" as const, end, closed, contentStart, contentEnd });
  for (let at = html.indexOf("</", contentStart); at !== -1; at = html.indexOf("</", at + 2)) {
    const nameEnd = at + 2 + name.length;
    if (html.slice(at + 2, nameEnd).toLowerCase() !== name) continue;
    if (!/[\s/>]/.test(html.charAt(nameEnd))) continue;
    const { end, closed } = readTag(html, at, "endTag");
    return raw(at, end, closed);
  }
  return raw(html.length, html.length, false);
}

function simple(kind: "text" | "comment", start: number, end: number, closed: boolean): HtmlToken {
  return { kind, name: "", start, end, closed, attributes: NO_ATTRIBUTES };
}
