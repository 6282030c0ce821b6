import { printsOneOf } from "../../mail/template/index.ts";

/**
 * Returns true if a template's HTML contains the unsubscribe link: in an expression, under one of
 * its names (API reference §10.3), and not in a comment.
 */
export const namesUnsubscribe = printsOneOf("unsubscribe_url", "unsubscribe_link");

/** Returns true if readers see that link: in the HTML, or in the text of a mail without HTML. */
export function showsUnsubscribe({ html, text }: { html: string; text: string }): boolean {
  return namesUnsubscribe(html.trim() === "" ? text : html);
}
