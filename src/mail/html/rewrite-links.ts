/**
 * Rewrites the links of an HTML mail. Comments (including Outlook's conditional comments), style
 * sheets, scripts and broken markup are preserved byte for byte. Hostile HTML costs linear time.
 */
import { Buffer } from "node:buffer";
import { parseTag } from "../../lib/tag.ts";
import { decodeEntities, escapeHtml, hasUnknownName } from "./entities.ts";
import { findAttribute, type Attribute, type HtmlToken } from "./tokenize.ts";

/** Returns the URL that replaces a link, or undefined to leave it unchanged. */
export type ChangeLink = (
  url: string,
  /** The tag that a click adds to the subscriber, from the attribute `data-tag`. */
  tag?: string,
) => string | undefined | Promise<string | undefined>;

/** A change of a document: the text that replaces `html.slice(start, end)`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Two slashes of either kind (WHATWG URL section 4.4): `http:x` may be relative to a page. */
const WEB_URL = /^https?:[\\/]{2}/i;
const SPACE_CODE = 0x20;
/**
 * Maximum length of a tracked URL in UTF-8 bytes. A longer one, in base64 with its signature,
 * approaches the URL limits of Workers (16 KB) and mail clients.
 */
const MAX_TRACKED_BYTES = 8_000;

type LinkTag = Pick<HtmlToken, "attributes">;

/** Returns true for the tag of a link that must stay as it is: `data-track="off"` or `data-no-track`. */
export const staysAsIs = (html: string, tag: LinkTag): boolean =>
  (trackOffOf(html, tag) ?? findAttribute(html, tag, "data-no-track")) !== undefined;

function trackOffOf(html: string, tag: LinkTag): Attribute | undefined {
  const found = findAttribute(html, tag, "data-track");
  return found?.value.trim().toLowerCase() === "off" ? found : undefined;
}

/**
 * Returns the edits that replace the URL of every `<a href>` and `<area href>` among these tags with
 * an absolute http or https URL by the one from `change`. `change` receives the text that a browser
 * would parse as the URL: references decoded, whitespace stripped (WHATWG URL section 4.4), not
 * otherwise normalized.
 *
 * Unchanged: other schemes, relative links, fragments, links that stay as they are, invalid or
 * ambiguous URLs, and those over 8,000 bytes. A rewritten link loses its `data-tag`, and every one
 * its `data-track="off"`. Throws what `change` throws.
 */
export async function rewriteLinks(
  html: string,
  tags: readonly HtmlToken[],
  change: ChangeLink,
): Promise<Edit[]> {
  const edits: Edit[] = [];
  for (const token of tags) {
    const trackOff = trackOffOf(html, token);
    if (trackOff) edits.push({ ...trackOff, text: "" });
    const href = findAttribute(html, token, "href");
    if (!href || staysAsIs(html, token)) continue;
    const url = trackableUrl(href.value);
    if (url === undefined) continue;
    const dataTag = findAttribute(html, token, "data-tag");
    const tag = dataTag && parseTag(decodeEntities(dataTag.value, "attribute"));
    // oxlint-disable-next-line no-await-in-loop -- a failure must be the last call
    const target = await change(url, tag);
    if (target === undefined) continue;
    edits.push({ start: href.start, end: href.end, text: `href="${escapeHtml(target)}"` });
    if (dataTag) edits.push({ start: dataTag.start, end: dataTag.end, text: "" });
  }
  return edits;
}

/** Applies edits, which do not overlap, in any order. */
export function applyEdits(html: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let position = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    pieces.push(html.slice(position, start), text);
    position = end;
  }
  return pieces.join("") + html.slice(position);
}

/** Returns the text of a raw attribute value that a browser would parse as a URL. */
export function urlText(rawValue: string): string {
  return stripUrl(decodeEntities(rawValue.toWellFormed().replaceAll("\0", "\ufffd"), "attribute"));
}

/** Returns the URL text of a raw attribute value, if it can be tracked. */
export function trackableUrl(rawValue: string): string | undefined {
  const url = urlText(rawValue);
  const isTrackable =
    WEB_URL.test(url) && isShort(url) && !hasUnknownName(rawValue) && URL.canParse(url);
  return isTrackable ? url : undefined;
}

const isShort = (url: string) =>
  url.length <= MAX_TRACKED_BYTES && Buffer.byteLength(url) <= MAX_TRACKED_BYTES;

/**
 * Strips what a URL parser drops first: leading and trailing controls and spaces, and tabs and line
 * breaks anywhere.
 */
function stripUrl(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= SPACE_CODE) start++;
  while (end > start && text.charCodeAt(end - 1) <= SPACE_CODE) end--;
  return text.slice(start, end).replace(/[\t\n\r]/g, "");
}
