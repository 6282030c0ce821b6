import { decodeEntities } from "./entities.ts";
import { tokenizeHtml } from "./tokenize.ts";

/** Maximum length of a title. Mail lists show far less of a subject. */
const MAX_TITLE_CHARACTERS = 200;

/**
 * Reads the title of a document as one line of text, without control characters and truncated to
 * 200 characters; undefined if it is missing or blank. Ignores a title inside SVG, which belongs to
 * an image. Linear in the document's length. Source: WHATWG HTML, section 4.2.2.
 */
export function titleOf(html: string): string | undefined {
  let svgDepth = 0;
  for (const { kind, name, end, contentStart, contentEnd } of tokenizeHtml(html)) {
    if (name === "svg" && kind === "startTag" && !html.startsWith("/>", end - 2)) svgDepth++;
    if (name === "svg" && kind === "endTag") svgDepth = Math.max(0, svgDepth - 1);
    if (kind === "raw" && name === "title" && svgDepth === 0)
      return lineOf(decodeEntities(html.slice(contentStart, contentEnd), "text"));
  }
  return undefined;
}

function lineOf(text: string): string | undefined {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  return Array.from(line).slice(0, MAX_TITLE_CHARACTERS).join("").trim() || undefined;
}
