/**
 * Complete messages as sent after DATA: RFC 5322 and RFC 2045 to 2047, with the unsubscribe headers
 * of RFC 2369 and RFC 8058.
 *
 * Subjects, names, bodies and files come from callers, who may be hostile. They cannot inject a
 * header (header.ts), forge a boundary (mime-part.ts) or add a Bcc, and no line exceeds 998 octets.
 * The SMTP client does the dot-stuffing. Files are encoded lazily (message-data.ts).
 */
import { refusal } from "../errors.ts";
import { type Mailbox, needsSmtpUtf8 } from "./address.ts";
import { customHeaders } from "./custom-headers.ts";
import { listIdHeader, mailboxHeader, structuredHeader, unstructuredHeader } from "./header.ts";
import { Base64File, MessageData } from "./message-data.ts";
import {
  type Attachment,
  attachmentPart,
  type MimePart,
  multipart,
  textPart,
} from "./mime-part.ts";

/** The content and the visible recipients of a message, without its envelope. */
export interface MessageContent {
  from: Mailbox;
  to: readonly Mailbox[];
  cc?: readonly Mailbox[];
  replyTo?: readonly Mailbox[];
  subject: string;
  html?: string;
  text: string;
  /** `left@right` without angle brackets. */
  messageId: string;
  date: Date;
  /** One-click unsubscribe link (RFC 8058), https. */
  listUnsubscribeUrl?: string;
  /** The list or topic of the mail (RFC 2919); overridden by a header of the caller. */
  list?: { name: string; id: string };
  /** Gmail's Feedback-ID, overridden by a header of the caller. */
  feedbackId?: string;
  /** Headers added by the caller; see `customHeaders`. */
  headers?: Readonly<Record<string, string>>;
  attachments?: readonly Attachment[];
  /** 1 to 48 letters, digits, dots, hyphens or underscores; the same seed yields the same bytes. */
  boundarySeed: string;
}

const MESSAGE_ID = /^[!-;=?A-~]+@[!-;=?A-~]+$/;
const CR = 0x0d;
const LF = 0x0a;
const encoder = new TextEncoder();

/**
 * Composes a message as bytes with CRLF line endings, 7-bit except for UTF-8 local parts. Text
 * comes first and HTML second in multipart/alternative. Files with a content id join the HTML in
 * multipart/related; other files go into multipart/mixed. Bodies decode to the caller's text, with
 * LF as CRLF. Throws AppError for content that cannot be encoded.
 */
export function composeMessage(message: MessageContent): MessageData {
  const root = rootPart(message);
  const headers = `${messageHeaders(message)}MIME-Version: 1.0\r\n${root.headers}\r\n`;
  const lineEnd = endsInLineBreak(root.body) ? "" : "\r\n";
  return new MessageData(joinAroundFiles([headers, ...root.body, lineEnd]));
}

/**
 * Returns true if an address in a header is UTF-8, so that the message needs SMTPUTF8 (RFC 6531).
 */
export function usesSmtpUtf8({ from, to, cc = [], replyTo = [] }: MessageContent): boolean {
  return [from, ...to, ...cc, ...replyTo].some(({ address }) => needsSmtpUtf8(address));
}

/** The last formatted date, cached because many mails are composed within one second. */
let lastDate = { second: Number.NaN, text: "" };

/** Formats a date by RFC 5322 section 3.3, in UTC. Throws malformed_header for an invalid Date. */
export function formatDate(date: Date): string {
  const second = Math.floor(date.getTime() / 1000);
  if (Number.isNaN(second)) throw refusal("malformed_header", { name: "Date" });
  if (second !== lastDate.second)
    lastDate = { second, text: date.toUTCString().replace("GMT", "+0000") };
  return lastDate.text;
}

function messageHeaders(message: MessageContent): string {
  const { listUnsubscribeUrl, list, feedbackId, headers = {} } = message;
  if (!MESSAGE_ID.test(message.messageId)) {
    throw refusal("malformed_header", { name: "Message-ID" });
  }
  return [
    mailboxHeader("From", [message.from]),
    mailboxHeader("To", message.to),
    mailboxHeader("Cc", message.cc ?? []),
    mailboxHeader("Reply-To", message.replyTo ?? []),
    unstructuredHeader("Subject", message.subject),
    structuredHeader("Date", formatDate(message.date)),
    structuredHeader("Message-ID", `<${message.messageId}>`),
    listUnsubscribeUrl === undefined ? "" : unsubscribeHeaders(listUnsubscribeUrl),
    list === undefined || sets(headers, "list-id") ? "" : listIdHeader(list.name, list.id),
    feedbackId === undefined || sets(headers, "feedback-id")
      ? ""
      : structuredHeader("Feedback-ID", feedbackId),
    customHeaders(headers),
  ].join("");
}

const sets = (headers: Readonly<Record<string, string>>, wanted: string) =>
  Object.keys(headers).some((name) => name.toLowerCase() === wanted);

function unsubscribeHeaders(url: string): string {
  if (/[<>\s]/.test(url)) throw refusal("malformed_header", { name: "List-Unsubscribe" });
  return (
    structuredHeader("List-Unsubscribe", `<${url}>`) +
    structuredHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
  );
}

function rootPart({ text, html, attachments = [], boundarySeed }: MessageContent): MimePart {
  const shown =
    html === undefined ? [] : attachments.filter((file) => file.contentId !== undefined);
  const attached = attachments.filter((file) => !shown.includes(file));
  const content =
    html === undefined
      ? textPart("plain", text)
      : multipart("alternative", boundarySeed, [
          textPart("plain", text),
          htmlPart(html, shown, boundarySeed),
        ]);
  if (attached.length === 0) return content;
  return multipart("mixed", boundarySeed, [content, ...attached.map(attachmentPart)]);
}

function htmlPart(html: string, shown: readonly Attachment[], boundarySeed: string): MimePart {
  const page = textPart("html", html);
  if (shown.length === 0) return page;
  const parts = [page, ...shown.map(attachmentPart)];
  return multipart("related", boundarySeed, parts, ['type="text/html"']);
}

function endsInLineBreak(body: MimePart["body"]): boolean {
  const last = body.at(-1);
  return last instanceof Uint8Array && last.at(-2) === CR && last.at(-1) === LF;
}

/** Joins the chunks between two files into one buffer. */
function joinAroundFiles(chunks: MimePart["body"]): (Uint8Array | Base64File)[] {
  const parts: (Uint8Array | Base64File)[] = [];
  const joinable: (string | Uint8Array)[] = [];
  for (const chunk of chunks) {
    if (chunk instanceof Base64File) parts.push(concatenate(joinable.splice(0)), chunk);
    else joinable.push(chunk);
  }
  return [...parts, concatenate(joinable)];
}

/** Joins chunks into one buffer, encoding adjacent text chunks together. */
function concatenate(chunks: readonly (string | Uint8Array)[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let text = "";
  for (const chunk of chunks) {
    if (typeof chunk === "string") {
      text += chunk;
    } else {
      pieces.push(encoder.encode(text), chunk);
      text = "";
    }
  }
  pieces.push(encoder.encode(text));
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}
