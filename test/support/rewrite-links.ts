import { applyEdits, trackLinks, type TrackLink } from "../../src/mail/html/rewrite-links.ts";
import { readHtml } from "../../src/mail/html/to-text.ts";

/** Tracks the links of a document as a send does. */
export const rewriteLinks = async (html: string, track: TrackLink): Promise<string> =>
  applyEdits(html, await trackLinks(html, readHtml(html).linkTags, track));
