/**
 * Rewrites the links of an HTML mail with the runtime's streaming HTML parser (HTMLRewriter).
 * Comments (including Outlook's conditional comments), style sheets, scripts and broken markup are
 * preserved byte for byte.
 *
 * The parser reads and writes raw attribute values, so this module decodes and escapes references.
 * Hostile HTML costs linear time; HTML that the parser rejects is a bad request.
 */
import { Buffer } from "node:buffer";
import { refusal } from "../../errors.ts";
import { parseTag } from "../../lib/tag.ts";
import { decodeEntities, escapeAmpersands, hasUnknownName } from "./entities.ts";

/** Returns the URL that replaces a link, or undefined to leave it unchanged. */
export type TrackLink = (
  url: string,
  /** The tag that a click adds to the subscriber, from the attribute `data-tag`. */
  tag?: string,
) => string | undefined | Promise<string | undefined>;

/** Links to skip, in addition to those that can never be tracked. */
export interface RewriteOptions {
  /** Receives the same text as `TrackLink`. */
  skip?: (url: string) => boolean;
}

/** The elements whose links tracking rewrites. */
export const LINKS = "a[href]:not([data-no-track]), area[href]:not([data-no-track])";
/** Two slashes of either kind (WHATWG URL section 4.4): `http:x` may be relative to a page. */
const WEB_URL = /^https?:[\\/]{2}/i;
const SPACE_CODE = 0x20;
/**
 * Maximum length of a tracked URL in UTF-8 bytes. A longer one, in base64 with its signature,
 * approaches the URL limits of Workers (16 KB) and mail clients.
 */
const MAX_TRACKED_BYTES = 8_000;

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/**
 * Replaces the URL of every `<a href>` and `<area href>` with an absolute http or https URL by the
 * one from `track`. `track` receives the text that a browser would parse as the URL: references
 * decoded, whitespace stripped (WHATWG URL section 4.4), not otherwise normalized.
 *
 * Unchanged: other schemes, relative links, fragments, links with `data-no-track`, those that
 * `skip` accepts, invalid or ambiguous URLs, and those over 8,000 bytes. A rewritten link loses its
 * `data-tag`. Everything else is preserved byte for byte, except for whitespace between the
 * attributes of a rewritten tag. Throws what `track` throws, and html_not_parsable for HTML that
 * the parser rejects.
 */
export async function rewriteLinks(
  html: string,
  track: TrackLink,
  options: RewriteOptions = {},
): Promise<string> {
  const failures: unknown[] = [];
  const rewriter = new HTMLRewriter().on(LINKS, {
    async element(element) {
      if (failures.length > 0) return;
      try {
        await rewriteLink(element, track, options);
      } catch (failure) {
        failures.push(failure);
      }
    },
  });
  const rewritten = await rewriter.transform(new Response(html)).arrayBuffer().catch(asBadRequest);
  if (failures.length > 0) throw failures[0];
  return decoder.decode(rewritten);
}

async function rewriteLink(element: Element, track: TrackLink, { skip }: RewriteOptions) {
  const url = trackableUrl(element.getAttribute("href") ?? "");
  if (url === undefined || skip?.(url)) return;
  const given = element.getAttribute("data-tag");
  const target = await track(url, tagOf(given));
  if (given !== null) element.removeAttribute("data-tag");
  if (target !== undefined) element.setAttribute("href", escapeAmpersands(target));
}

/** Returns the tag in a raw `data-tag`; undefined if it is invalid. */
export function tagOf(rawValue: string | null): string | undefined {
  return rawValue === null ? undefined : parseTag(decodeEntities(rawValue, "attribute"));
}

/** Returns the text of a raw attribute value that a browser would parse as a URL. */
export function urlText(rawValue: string): string {
  return stripUrl(decodeEntities(rawValue.replaceAll("\0", "\ufffd"), "attribute"));
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

/** Converts the parser's TypeError into a bad request; rethrows any other error. */
export function asBadRequest(failure: unknown): never {
  if (failure instanceof TypeError && failure.message.startsWith("Parser error")) {
    throw refusal("html_not_parsable", {});
  }
  throw failure;
}
