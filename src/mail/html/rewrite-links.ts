/**
 * Rewrites the links of an HTML mail with the runtime's streaming HTML parser (HTMLRewriter):
 * comments, and with them what Outlook's conditional comments hide, style sheets, scripts and
 * broken markup stay as they are, byte for byte.
 *
 * The parser reads and writes raw attribute values, so references are decoded and escaped here.
 * Hostile HTML costs linear time; what makes the parser give up is refused as a bad request.
 */
import { Buffer } from "node:buffer";
import { badRequest } from "../../errors.ts";
import { decodeEntities, escapeAmpersands, hasUnknownName } from "./entities.ts";

/** Makes the address a link should lead to instead, or undefined to leave the link as it is. */
export type TrackLink = (url: string) => string | undefined | Promise<string | undefined>;

/** What is left alone besides what can never be tracked. */
export interface RewriteOptions {
  /** Is asked with the same text as `TrackLink`. */
  skip?: (url: string) => boolean;
}

/** The elements whose links are tracked. */
export const LINKS = "a[href]:not([data-no-track]), area[href]:not([data-no-track])";
/** Two slashes, of either kind (WHATWG URL section 4.4): `http:x` may be relative to a page. */
const WEB_URL = /^https?:[\\/]{2}/i;
const SPACE_CODE = 0x20;
/**
 * Longest URL tracked, in UTF-8 bytes: in base64 and with its signature a longer one comes near what
 * Workers (16 KB) and mail programs take as an address.
 */
const MAX_TRACKED_BYTES = 8_000;

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/**
 * Gives every `<a href>` and `<area href>` with an absolute http or https URL the address `track`
 * makes of it. `track` gets the text a browser would parse as the URL: references decoded, white
 * space stripped (WHATWG URL section 4.4), not otherwise normalised. Never touched: other schemes,
 * relative links and fragments, links with `data-no-track`, those `skip` names, those that are no
 * URL, over 8,000 bytes or in doubt. Everything else comes back byte for byte, but for the white space
 * between the attributes of a rewritten tag. Throws what `track` throws, and AppError bad_request
 * for HTML the parser gives up on.
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
  const target = await track(url);
  if (target !== undefined) element.setAttribute("href", escapeAmpersands(target));
}

/** The URL text behind a raw attribute value, when it is one that can be tracked. */
export function trackableUrl(rawValue: string): string | undefined {
  const url = stripUrl(decodeEntities(rawValue.replaceAll("\0", "\ufffd"), "attribute"));
  const isTrackable =
    WEB_URL.test(url) && isShort(url) && !hasUnknownName(rawValue) && URL.canParse(url);
  return isTrackable ? url : undefined;
}

const isShort = (url: string) =>
  url.length <= MAX_TRACKED_BYTES && Buffer.byteLength(url) <= MAX_TRACKED_BYTES;

/** What a URL parser drops first: controls and spaces at both ends, tabs and line breaks inside. */
function stripUrl(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= SPACE_CODE) start++;
  while (end > start && text.charCodeAt(end - 1) <= SPACE_CODE) end--;
  return text.slice(start, end).replace(/[\t\n\r]/g, "");
}

/** The parser says why it gave up in a TypeError; every other failure stays what it is. */
export function asBadRequest(failure: unknown): never {
  if (failure instanceof TypeError && failure.message.startsWith("Parser error")) {
    throw badRequest("the HTML cannot be parsed: it is malformed or nested too deep");
  }
  throw failure;
}
