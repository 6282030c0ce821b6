/**
 * Finds the links of a template once, so that its many renderings need no HTML parser.
 *
 * Each link of the template's source is put between marks; the marks go through rendering with
 * whatever variables stand between them, and `fillLinks` finds them again in the rendered mail.
 * A template whose links cannot be known from its source (markup in variables, or variables
 * where a tag's attributes are) is told apart, and its mails are to be parsed one by one.
 */
import { escapeAmpersands } from "./entities.ts";
import {
  asBadRequest,
  LINKS,
  trackableUrl,
  type RewriteOptions,
  type TrackLink,
} from "./rewrite-links.ts";
import { tokenizeHtml } from "./tokenize.ts";

/** The two marks around a link: text that stands nowhere else. */
export interface LinkMarks {
  open: string;
  close: string;
}

export type MarkedTemplate = { kind: "marked"; html: string } | { kind: "unknowable" };

/** Marks made of a word nobody can guess, in characters that neither HTML nor templates escape. */
export function linkMarks(secretWord: string): LinkMarks {
  return { open: `[[${secretWord}(`, close: `)${secretWord}]]` };
}

/** `{{{x}}}`, `{{&x}}`, partials and decorators can bring markup, and with it links, of their own. */
const UNESCAPED_OUTPUT = /\{\{(?:\{|~?\s*(?:[&>*]|#\s*[>*]))/;
const QUOTED_VALUE = /"[^"]*"|'[^']*'/g;

/**
 * Puts marks around every link of a template's source that may be tracked once it is rendered.
 * Throws AppError bad_request for HTML the parser gives up on.
 */
export async function markLinks(source: string, marks: LinkMarks): Promise<MarkedTemplate> {
  if (UNESCAPED_OUTPUT.test(source) || hasVariablesBetweenAttributes(source))
    return { kind: "unknowable" };
  let isKnowable = true;
  const rewriter = new HTMLRewriter().on(LINKS, {
    element(element) {
      const value = element.getAttribute("href") ?? "";
      // The parser would escape the quotes of an expression, which then is another one.
      if (value.includes("{{") && value.includes('"')) isKnowable = false;
      if (value.includes("{{") || trackableUrl(value) !== undefined)
        element.setAttribute("href", marks.open + value + marks.close);
    },
  });
  const html = await rewriter.transform(new Response(source)).text().catch(asBadRequest);
  return isKnowable ? { kind: "marked", html } : { kind: "unknowable" };
}

function hasVariablesBetweenAttributes(source: string): boolean {
  for (const token of tokenizeHtml(source)) {
    if (token.kind !== "startTag" && token.kind !== "raw") continue;
    const tag = source.slice(
      token.start,
      token.kind === "raw" ? tagEnd(source, token.start) : token.end,
    );
    if (tag.replace(QUOTED_VALUE, "").includes("{{")) return true;
  }
  return false;
}

const tagEnd = (source: string, start: number) => {
  const end = source.indexOf(">", start);
  return end === -1 ? source.length : end;
};

/**
 * Gives every marked link of a rendered mail the address `track` makes of it, as `rewriteLinks`
 * would, and takes the marks out. Linear, without parsing.
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
    pieces.push(html.slice(position, open), await target(value, track, options));
    position = end + marks.close.length;
  }
  return pieces.join("") + html.slice(position);
}

async function target(value: string, track: TrackLink, { skip }: RewriteOptions): Promise<string> {
  const url = trackableUrl(value);
  if (url === undefined || skip?.(url)) return value;
  const tracked = await track(url);
  return tracked === undefined ? value : escapeAmpersands(tracked);
}
