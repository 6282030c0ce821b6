import { urlText } from "./rewrite-links.ts";
import { attributeOf, tokenizeHtml } from "./tokenize.ts";

/** Widths of images that nobody sees, such as pixels and spacers. */
const UNSEEN = /^\s*[01]\s*(?:px)?\s*$/i;

/** Returns the URL of the first image of a mail that can be seen and loads over HTTPS. */
export function firstImage(html: string): string | undefined {
  for (const token of tokenizeHtml(html)) {
    if (token.kind !== "startTag" || token.name !== "img") continue;
    const src = urlText(attributeOf(html, token, "src") ?? "");
    if (!/^https:\/\//i.test(src) || !URL.canParse(src)) continue;
    if (!["width", "height"].some((size) => UNSEEN.test(attributeOf(html, token, size) ?? "")))
      return src;
  }
  return undefined;
}
