/** Puts the open pixel and the unsubscribe footer into an HTML mail. */
import { escapeHtml } from "./entities.ts";
import { tokenizeHtml } from "./tokenize.ts";

/**
 * Adds a one-pixel image before the last `</body>`, or at the end. It avoids `display:none`, since
 * many mail programs do not fetch hidden images.
 */
export function injectPixel(html: string, src: string): string {
  const pixel = `<img src="${escapeHtml(src)}" width="1" height="1" alt="" border="0" style="width:1px;height:1px;border:0">`;
  return insertBeforeBodyEnd(html, pixel);
}

/** Adds `footerHtml` unchanged before the last `</body>`, or at the end. */
export function injectFooter(html: string, footerHtml: string): string {
  return insertBeforeBodyEnd(html, footerHtml);
}

function insertBeforeBodyEnd(html: string, addition: string): string {
  const at = bodyEnd(html);
  return html.slice(0, at) + addition + html.slice(at);
}

/**
 * Finds the start of the last `</body>` that is markup, not part of a comment, style or script.
 * Without one, it returns the end, or the start of a comment, tag or element that never closes and
 * would swallow whatever follows.
 */
function bodyEnd(html: string): number {
  let position: number | undefined;
  for (const token of tokenizeHtml(html)) {
    if (token.kind === "endTag" && token.name === "body") position = token.start;
    if (!token.closed) position ??= token.start;
  }
  return position ?? html.length;
}
