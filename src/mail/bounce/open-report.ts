/**
 * Opens a message from a bounce mailbox: MIME (RFC 2045, RFC 2046) with the parts of a report (RFC
 * 6522), parsed by postal-mime.
 *
 * The message is untrusted. Only its first 256 KiB and 12,000 lines are read, to 20 levels of
 * nesting. Of messages inside it, only the header fields are read.
 */
import PostalMime, { type Attachment, type Email } from "postal-mime";
import { htmlToText } from "../html/to-text.ts";
import type { HeaderFields } from "./header-fields.ts";

/** Maximum bytes read from a message; a report puts its facts at the beginning. */
export const MAX_MESSAGE_BYTES = 256 * 1024;
/** Maximum nesting of parts; real reports nest three levels. */
const MAX_NESTING = 20;
/** Maximum UTF-16 units read from a text part. */
const MAX_TEXT_LENGTH = 64 * 1024;
/** Maximum bytes read from a returned message: its header section. */
const MAX_ORIGINAL_BYTES = 32 * 1024;
/** Maximum parts of one kind; some systems write a status part for each recipient. */
const MAX_PARTS = 100;

/**
 * Maximum lines, because each costs the MIME parser time; 256 KiB of real mail has a third as many.
 */
const MAX_LINES = 12_000;
/** Maximum lines that begin with two hyphens: each may start a part, and every part costs time. */
const MAX_BOUNDARY_LINES = 1000;
const HYPHEN = 0x2d;
const LINE_FEED = 0x0a;

/** A message split into the parts of a report, as text with LF line endings. */
export interface OpenedMessage {
  headers: HeaderFields;
  /** Media type of the whole message in lowercase, such as `multipart/report`. */
  contentType: string;
  /** The human-readable text. */
  text: string;
  /** message/delivery-status and message/global-delivery-status. */
  deliveryStatus: string[];
  /** message/feedback-report. */
  feedbackReports: string[];
  /** Beginnings of returned messages, and header sections. */
  originals: string[];
}

/** Opens a message; returns undefined if its structure exceeds the limits. */
export async function openMessage(raw: Uint8Array): Promise<OpenedMessage | undefined> {
  const bytes = boundMessage(raw);
  const email = await parseMime(bytes);
  if (!email) return undefined;
  const headers = new Map<string, string[]>();
  for (const { key, value } of email.headers) {
    headers.set(key, [...(headers.get(key) ?? []).slice(0, MAX_PARTS), value]);
  }
  // Subject is the only field whose wording matters and that may contain encoded words (RFC 2047).
  if (email.subject !== undefined) headers.set("subject", [email.subject]);
  const contentType = headers.get("content-type")?.[0] ?? "";
  return {
    headers,
    contentType: (contentType.split(";")[0] ?? "").trim().toLowerCase(),
    text: readableText(email) || textWithoutParts(email, bytes),
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

/** Truncates a message at its limits: bytes, lines, and lines that may start a part. */
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

/** Parses MIME. postal-mime rejects only excessive nesting, and no report nests that deep. */
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

/** Reads the body of a multipart message whose boundaries are missing. */
function textWithoutParts(email: Email, bytes: Uint8Array): string {
  if (email.attachments.length > 0) return "";
  const text = withUnixLineEnds(new TextDecoder().decode(bytes));
  const start = text.indexOf("\n\n");
  return start === -1 ? "" : text.slice(start + 2).slice(0, MAX_TEXT_LENGTH);
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
