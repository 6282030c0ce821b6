/**
 * Cuts HTML into tags, comments and text (the parts of WHATWG HTML section 13.2.5 that mail needs).
 * It makes one pass without recursion, and anything unclosed ends the document. Hostile input
 * therefore costs linear time and no stack.
 */

/** A piece of a document: `html.slice(start, end)`. Pieces follow each other without gaps. */
export interface HtmlToken {
  /** `raw` is a whole element with content that is not markup, such as style and script. */
  kind: "text" | "startTag" | "endTag" | "raw" | "comment";
  /** Lower-case tag name; "" for text and comments. */
  name: string;
  start: number;
  end: number;
  /** False when the document ends before this token does. */
  closed: boolean;
  /**
   * Attributes of start tags and raw elements: names in lower case, values raw, first name wins.
   */
  attributes: ReadonlyMap<string, string>;
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
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const MARKUP_START = /<(?=[a-z!?/])/gi;
const TAG_NAME = /[a-z][^\s/>]*/iy;
const ATTRIBUTE =
  /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s"'>][^\s>]*)?))?/y;
const TAG_CLOSE = /[\s/]*>/y;

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

/** Finds the next `<` that begins markup; any other is text. */
const nextMarkup = (html: string, from: number) =>
  match(MARKUP_START, html, from)?.index ?? html.length;

function readMarkup(html: string, start: number): HtmlToken {
  if (html.startsWith("<!--", start)) return readComment(html, start);
  const isEndTag = html.charAt(start + 1) === "/";
  const name = match(TAG_NAME, html, start + (isEndTag ? 2 : 1))?.[0];
  if (name === undefined) return upTo(">", html, start, start + 1);
  const token = readTag(html, start, isEndTag ? "endTag" : "startTag", name);
  const isRaw = token.kind === "startTag" && token.closed && RAW_ELEMENTS.has(token.name);
  return isRaw ? readRawElement(html, token) : token;
}

/**
 * Reads a comment. `<!-->` and `<!--->` are whole comments, so the end may share the hyphens of the
 * start.
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

/** Reads a tag. It keeps `name` as written, since its lower case may differ in length. */
function readTag(html: string, start: number, kind: "startTag" | "endTag", name: string) {
  let attributes: Map<string, string> | undefined;
  let position = start + (kind === "endTag" ? 2 : 1) + name.length;
  for (;;) {
    const close = match(TAG_CLOSE, html, position);
    if (close) return tag(kind, name, start, position + close[0].length, attributes);
    const attribute = match(ATTRIBUTE, html, position);
    if (!attribute) return { ...tag(kind, name, start, html.length, attributes), closed: false };
    const [text, key = "", doubleQuoted, singleQuoted, bare = ""] = attribute;
    const lowerKey = key.toLowerCase();
    attributes ??= new Map();
    if (!attributes.has(lowerKey)) {
      attributes.set(lowerKey, doubleQuoted ?? singleQuoted ?? bare);
    }
    position += text.length;
  }
}

function tag(
  kind: "startTag" | "endTag",
  name: string,
  start: number,
  end: number,
  attributes: ReadonlyMap<string, string> = NO_ATTRIBUTES,
): HtmlToken {
  return { kind, name: name.toLowerCase(), start, end, closed: true, attributes };
}

/** Reads everything through the end tag of the same name. */
function readRawElement(html: string, startTag: HtmlToken): HtmlToken {
  const { name, attributes, start, end: contentStart } = startTag;
  for (let at = html.indexOf("</", startTag.end); at !== -1; at = html.indexOf("</", at + 2)) {
    const nameEnd = at + 2 + name.length;
    if (html.slice(at + 2, nameEnd).toLowerCase() !== name) continue;
    if (!/[\s/>]/.test(html.charAt(nameEnd))) continue;
    const { end, closed } = readTag(html, at, "endTag", name);
    return { kind: "raw", name, start, end, closed, attributes, contentStart, contentEnd: at };
  }
  const rest = { end: html.length, contentStart, contentEnd: html.length };
  return { kind: "raw", name, start, closed: false, attributes, ...rest };
}

function simple(kind: "text" | "comment", start: number, end: number, closed: boolean): HtmlToken {
  return { kind, name: "", start, end, closed, attributes: NO_ATTRIBUTES };
}

/** Matches a sticky pattern at a position, or a global one from there on. */
function match(pattern: RegExp, html: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(html);
}
