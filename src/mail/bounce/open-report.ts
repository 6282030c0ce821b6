/**
 * Opens a message found in a bounce mailbox: MIME (RFC 2045, 2046) with the parts of a report
 * (RFC 6522), read by postal-mime.
 *
 * The message comes from anybody: only its first 256 KiB and 12,000 lines are looked at, to 20 levels,
 * and messages inside it are never opened, only their header fields are read.
 */
import PostalMime, { type Attachment, type Email } from "postal-mime";
import { htmlToText } from "../html/to-text.ts";
import type { HeaderFields } from "./header-fields.ts";

/** How much of a message is looked at, in bytes; what a report says stands at its beginning. */
export const MAX_MESSAGE_BYTES = 256 * 1024;
/** Real reports nest three levels. */
const MAX_NESTING = 20;
/** How much of a text part is looked at, in UTF-16 units. */
const MAX_TEXT_LENGTH = 64 * 1024;
/** How much of a returned message is looked at, in bytes: its header section. */
const MAX_ORIGINAL_BYTES = 32 * 1024;
/** Parts of one kind that are looked at; a real report has one of each. */
const MAX_PARTS = 5;

/** Lines cost the MIME parser time each; 256 KiB of real mail have a third of this. */
const MAX_LINES = 12_000;
/** Lines that begin with two hyphens: each may begin a part, and every part costs time. */
const MAX_BOUNDARY_LINES = 1000;
const HYPHEN = 0x2d;
const LINE_FEED = 0x0a;

/** A message with the parts of a report taken out of it, all as text with LF line ends. */
export interface OpenedMessage {
  headers: HeaderFields;
  /** Media type of the whole message, lower-case, such as `multipart/report`. */
  contentType: string;
  /** What a person would read. */
  text: string;
  /** message/delivery-status and message/global-delivery-status. */
  deliveryStatus: string[];
  /** message/feedback-report. */
  feedbackReports: string[];
  /** The beginnings of returned messages and header sections. */
  originals: string[];
}

/** Opens a message; `undefined` when its structure is beyond the bounds. */
export async function openMessage(raw: Uint8Array): Promise<OpenedMessage | undefined> {
  const email = await parseMime(boundMessage(raw));
  if (!email) return undefined;
  const headers = new Map<string, string[]>();
  for (const { key, value } of email.headers) {
    headers.set(key, [...(headers.get(key) ?? []).slice(0, MAX_PARTS), value]);
  }
  // The only field whose words are asked for that may be in encoded words (RFC 2047).
  if (email.subject !== undefined) headers.set("subject", [email.subject]);
  const contentType = headers.get("content-type")?.[0] ?? "";
  return {
    headers,
    contentType: (contentType.split(";")[0] ?? "").trim().toLowerCase(),
    text: readableText(email),
    deliveryStatus: partsOfType(
      email,
      /^message\/(?:global-)?delivery-status$/,
      MAX_TEXT_LENGTH * 4,
    ),
    feedbackReports: partsOfType(email, /^message\/feedback-report$/, MAX_TEXT_LENGTH),
    originals: partsOfType(
      email,
      /^(?:message\/(?:rfc822|global|rfc822-headers|global-headers|partial)|text\/rfc822-headers?)$/,
      MAX_ORIGINAL_BYTES,
    ),
  };
}

/** Cuts a message at its bounds: bytes, lines, and lines that may begin a part. */
function boundMessage(raw: Uint8Array): Uint8Array {
  const bytes = raw.slice(0, MAX_MESSAGE_BYTES);
  let boundaries = 0;
  for (let lines = 0, start = 0; start < bytes.length; lines++) {
    if (bytes[start] === HYPHEN && bytes[start + 1] === HYPHEN) boundaries++;
    if (lines >= MAX_LINES || boundaries > MAX_BOUNDARY_LINES) return bytes.subarray(0, start);
    const end = bytes.indexOf(LINE_FEED, start);
    start = end === -1 ? bytes.length : end + 1;
  }
  return bytes;
}

/** postal-mime rejects only what is nested too deep; any such message is no report. */
function parseMime(bytes: Uint8Array): Promise<Email | undefined> {
  return PostalMime.parse(bytes, {
    forceRfc822Attachments: true,
    maxNestingDepth: MAX_NESTING,
    maxHeadersSize: MAX_MESSAGE_BYTES,
  }).catch(() => undefined);
}

function readableText(email: Email): string {
  const text = (email.text ?? "").slice(0, MAX_TEXT_LENGTH);
  if (text.trim() !== "") return withUnixLineEnds(text);
  return htmlToText((email.html ?? "").slice(0, MAX_TEXT_LENGTH));
}

function partsOfType(email: Email, type: RegExp, maxBytes: number): string[] {
  return email.attachments
    .filter(({ mimeType }) => type.test(mimeType))
    .slice(0, MAX_PARTS)
    .map((part) => withUnixLineEnds(contentText(part, maxBytes)));
}

function contentText({ content }: Attachment, maxBytes: number): string {
  if (typeof content === "string") return content.slice(0, maxBytes);
  return new TextDecoder().decode(new Uint8Array(content).subarray(0, maxBytes));
}

const withUnixLineEnds = (text: string) => text.replace(/\r\n?/g, "\n");
