// Builds the reports that servers send about a mail: a delivery status notification (RFC 3464, in
// UTF-8 by RFC 6533) and a complaint (RFC 5965).
import { randomUUID } from "node:crypto";
import type { StoredMessage } from "./message-store.ts";

/** Reports that the mailbox can send about a mail. */
export type ReportKind = "bounce" | "complaint";

/** A report with its envelope. `from` is empty for a delivery status notification. */
export interface ReturnedMail {
  from: string;
  to: string;
  raw: Buffer;
}

const HOST = "mailbox.localhost";
const REFUSAL = "550 5.1.1 No such user here";
/** A longer header section is truncated: a report needs only part of the original mail. */
const MAX_HEADER_BYTES = 32 * 1024;

/** Reports that a mail cannot be delivered to any of its recipients. */
export function buildBounce(message: StoredMessage): ReturnedMail {
  const { mailFrom, recipients, receivedAt } = message;
  const isGlobal = needsUtf8(message);
  const statuses = recipients.flatMap((recipient) => [
    "",
    `Final-Recipient: ${isGlobal ? "utf-8" : "rfc822"}; ${oneLine(recipient)}`,
    "Action: failed",
    "Status: 5.1.1",
    `Remote-MTA: dns; ${HOST}`,
    `Diagnostic-Code: smtp; ${REFUSAL}`,
  ]);
  const raw = report(message, "delivery-status", {
    head: [
      `From: Mail Delivery System <MAILER-DAEMON@${HOST}>`,
      "Subject: Undelivered Mail Returned to Sender",
      "Auto-Submitted: auto-replied",
    ],
    text: [
      "Your message could not be delivered.",
      "",
      ...recipients.map((recipient) => `<${oneLine(recipient)}>: ${REFUSAL}`),
    ],
    facts: [`Reporting-MTA: dns; ${HOST}`, `Arrival-Date: ${dateOf(receivedAt)}`, ...statuses],
  });
  return { from: "", to: mailFrom, raw };
}

/** Reports that the first recipient of a mail marked it as spam. */
export function buildComplaint(message: StoredMessage): ReturnedMail {
  const { mailFrom, recipients, receivedAt } = message;
  const from = `feedback@${HOST}`;
  const raw = report(message, "feedback-report", {
    head: [`From: Feedback loop <${from}>`, "Subject: Complaint about an email"],
    text: [
      "This is an email abuse report for an email message. Its recipient reported it as spam.",
    ],
    facts: [
      "Feedback-Type: abuse",
      "User-Agent: Postrider-Mailbox/1",
      "Version: 1",
      `Original-Mail-From: <${oneLine(mailFrom)}>`,
      `Original-Rcpt-To: <${oneLine(recipients[0] ?? "")}>`,
      `Arrival-Date: ${dateOf(receivedAt)}`,
      `Reporting-MTA: dns; ${HOST}`,
      "Source-IP: 127.0.0.1",
    ],
  });
  return { from, to: mailFrom, raw };
}

/**
 * Builds a multipart/report (RFC 6522): a text, the machine-readable part, and the header of the
 * mail.
 */
function report(
  message: StoredMessage,
  type: "delivery-status" | "feedback-report",
  { head, text, facts }: { head: string[]; text: string[]; facts: string[] },
): Buffer {
  const boundary = randomUUID();
  const isGlobal = needsUtf8(message) && type === "delivery-status";
  const before = [
    ...head,
    `To: <${oneLine(message.mailFrom)}>`,
    `Date: ${dateOf(new Date())}`,
    `Message-ID: <${randomUUID()}@${HOST}>`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/report; report-type=${type}; boundary="${boundary}"`,
    "Content-Transfer-Encoding: 8bit",
    "",
    ...partOf("text/plain; charset=utf-8", text),
    ...partOf(`message/${isGlobal ? "global-" : ""}${type}`, facts),
    ...partOf(isGlobal ? "message/global-headers" : "text/rfc822-headers", []),
  ];
  function partOf(mediaType: string, lines: string[]): string[] {
    const fields = [`Content-Type: ${mediaType}`, "Content-Transfer-Encoding: 8bit"];
    return [`--${boundary}`, ...fields, "", ...lines];
  }
  return Buffer.concat([
    Buffer.from(`${before.join("\r\n")}\r\n`),
    headerOf(message.raw),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

/** Returns the header section of a mail, byte for byte. */
function headerOf(raw: Buffer): Buffer {
  const ends = ["\r\n\r\n", "\n\n"].map((end) => raw.indexOf(end)).filter((at) => at !== -1);
  return raw.subarray(0, Math.min(MAX_HEADER_BYTES, raw.length, ...ends));
}

/**
 * An address, a field or a Return-Path may contain UTF-8 (RFC 6531); the report then contains it,
 * too.
 */
function needsUtf8({ mailFrom, recipients }: StoredMessage): boolean {
  return /[^ -~]/.test([mailFrom, ...recipients].join(""));
}

const oneLine = (text: string) => text.replace(/[\p{C}<>]/gu, "");
const dateOf = (time: Date) => time.toUTCString().replace("GMT", "+0000");
