import { printsOneOf } from "../../mail/template/index.ts";

/**
 * Returns true if a template's HTML contains the unsubscribe link: in an expression, under one of
 * its names (API reference §10.3), and not in a comment.
 */
export const namesUnsubscribe = printsOneOf("unsubscribe_url", "unsubscribe_link");
