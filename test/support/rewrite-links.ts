import {
  applyEdits,
  rewriteLinks as editsOf,
  type ChangeLink,
} from "../../src/mail/html/rewrite-links.ts";
import { readHtml } from "../../src/mail/html/to-text.ts";

/** Tracks the links of a document as a send does. */
export const rewriteLinks = async (html: string, track: ChangeLink): Promise<string> =>
  applyEdits(html, await editsOf(html, readHtml(html).linkTags, track));
