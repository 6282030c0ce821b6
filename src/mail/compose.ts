/**
 * Whole messages as they go after DATA: RFC 5322 and RFC 2045 to 2047, with the unsubscribe
 * headers of RFC 2369 and RFC 8058.
 *
 * Subjects, names, bodies and files come from callers. Headers cannot be injected (header.ts),
 * bodies cannot reach a boundary (mime-part.ts), lines stay within 998 octets, and there is no way
 * to write a Bcc. Dot-stuffing is the SMTP client's.
 */
import { type Mailbox, needsSmtpUtf8 } from "./address.ts";
import { checkCustomHeaders } from "./custom-headers.ts";
import { HeaderError, mailboxHeader, structuredHeader, unstructuredHeader } from "./header.ts";
import {
  type Attachment,
  attachmentPart,
  type MimePart,
  multipart,
  textPart,
} from "./mime-part.ts";

/** What a message says and to whom; the envelope it travels in is not part of it. */
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
  /** One-click link (RFC 8058), https. */
  listUnsubscribeUrl?: string;
  /** Headers of the caller; see `checkCustomHeaders`. */
  headers?: Readonly<Record<string, string>>;
  attachments?: readonly Attachment[];
  /** 1 to 48 letters, digits, dots, hyphens or underscores; the same seed makes the same bytes. */
  boundarySeed: string;
}

const MESSAGE_ID = /^[!-;=?A-~]+@[!-;=?A-~]+$/;
const CR = 0x0d;
const LF = 0x0a;
const encoder = new TextEncoder();

/**
 * Composes a message as bytes in CRLF lines, the last one ended; 7-bit but for UTF-8 local parts.
 * Text first, HTML second in multipart/alternative; files with a content id in multipart/related
 * beside the HTML, other files in multipart/mixed. Bodies read back as given, with LF as CRLF.
 * Throws HeaderError or AppError bad_request for what cannot be written.
 */
export function composeMessage(message: MessageContent): Uint8Array {
  const root = rootPart(message);
  const headers = `${messageHeaders(message)}MIME-Version: 1.0\r\n${root.headers}\r\n`;
  return concatenate([headers, ...root.body, endsInLineBreak(root.body) ? "" : "\r\n"]);
}

/** Whether a message has a header that needs SMTPUTF8 (RFC 6531): an address in UTF-8. */
export function usesSmtpUtf8({ from, to, cc = [], replyTo = [] }: MessageContent): boolean {
  return [from, ...to, ...cc, ...replyTo].some(({ address }) => needsSmtpUtf8(address));
}

/** A date as RFC 5322 section 3.3 writes it, in UTC. Throws HeaderError for an invalid Date. */
export function formatDate(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new HeaderError("header Date is not a valid date");
  return date.toUTCString().replace("GMT", "+0000");
}

function messageHeaders(message: MessageContent): string {
  const { listUnsubscribeUrl, headers = {} } = message;
  if (!MESSAGE_ID.test(message.messageId)) {
    throw new HeaderError("header Message-ID is not of the form left@right");
  }
  checkCustomHeaders(headers);
  return [
    mailboxHeader("From", [message.from]),
    mailboxHeader("To", message.to),
    mailboxHeader("Cc", message.cc ?? []),
    mailboxHeader("Reply-To", message.replyTo ?? []),
    unstructuredHeader("Subject", message.subject),
    structuredHeader("Date", formatDate(message.date)),
    structuredHeader("Message-ID", `<${message.messageId}>`),
    listUnsubscribeUrl === undefined ? "" : unsubscribeHeaders(listUnsubscribeUrl),
    ...Object.entries(headers).map(([name, value]) => unstructuredHeader(name, value)),
  ].join("");
}

function unsubscribeHeaders(url: string): string {
  if (/[<>\s]/.test(url)) throw new HeaderError("header List-Unsubscribe is not a URL");
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
  return typeof last !== "string" && last?.at(-2) === CR && last.at(-1) === LF;
}

/** Joins chunks in one buffer; text side by side is encoded as one. */
function concatenate(chunks: MimePart["body"]): Uint8Array {
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
