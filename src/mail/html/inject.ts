/** Puts the open pixel and the unsubscribe footer into an HTML mail. */
import { escapeHtml } from "./entities.ts";
import { tokenizeHtml } from "./tokenize.ts";

/** The beginning of a block in the source of a template. */
const BLOCK = /\{\{~?[#^]/;

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
 * would swallow whatever follows. So it does for the source of a template with several, which may
 * belong to branches of which a mail has only one.
 */
function bodyEnd(html: string): number {
  const bodies: number[] = [];
  let end = html.length;
  for (const token of tokenizeHtml(html)) {
    if (token.kind === "endTag" && token.name === "body") bodies.push(token.start);
    if (!token.closed) end = token.start;
  }
  const mayBranch = bodies.length > 1 && BLOCK.test(html);
  return mayBranch ? end : (bodies.at(-1) ?? end);
}
