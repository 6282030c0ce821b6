/**
 * Interprets a message from a bounce mailbox: delivery reports (RFC 3464, RFC 6533, Exim's
 * X-Failed-Recipients, the wording of older systems) and complaints (RFC 5965).
 *
 * The mailbox receives untrusted mail. The parser reads at most 256 KiB, ignores quoted mail as
 * evidence, and returns at most 100 recipients and 5 message ids. Callers check whether a recipient
 * belongs to the project.
 */
import type { EmailAddress } from "../address.ts";
import {
  findRecipients,
  judgeUnnamed,
  type Report,
  type UnnamedFailure,
} from "./bounced-recipients.ts";
import { readComplaintOf } from "./complaint.ts";
import { findAddresses } from "./find-addresses.ts";
import { fieldValue, type HeaderFields } from "./header-fields.ts";
import { kindOf, type MessageKind, natureOf } from "./message-kind.ts";
import { findReturnPaths } from "./return-paths.ts";
import { openMessage, type OpenedMessage } from "./open-report.ts";
import {
  findMessageIds,
  originalRecipients,
  readOriginalFields,
  splitAtOriginal,
} from "./quoted-original.ts";
import { type BounceReport, MAX_RECIPIENTS, toDiagnostic } from "./report.ts";
import { readSesNotification } from "./ses-notification.ts";

const MAX_MESSAGE_IDS = 5;
const OTHER: BounceReport = { kind: "other", recipients: [], messageIds: [] };

/**
 * Parses one message from a bounce mailbox; never throws. Recipients come from the first source
 * that names any: Final-Recipient and Original-Recipient, X-Failed-Recipients, the report's own
 * wording, the To field of the returned mail.
 */
export async function parseBounce(raw: Uint8Array): Promise<BounceReport> {
  const { report } = await readReport(raw);
  return report;
}

/** A parsed message with the facts that identify the original mail. */
export interface ReadReport {
  report: BounceReport;
  /** The failure in a report of kind `other`, which names no recipient. */
  unnamed?: UnnamedFailure | undefined;
  /** Recipient addresses of the message, and the envelope senders that it quotes. */
  returnPaths: EmailAddress[];
  kind: MessageKind;
}

type Reading = Pick<ReadReport, "report" | "unnamed">;

/** Parses a message as `parseBounce` does; never throws. */
export async function readReport(raw: Uint8Array): Promise<ReadReport> {
  const message = await openMessage(raw);
  if (!message) return { report: OTHER, returnPaths: [], kind: "mail" };
  const report = reportOf((await openWrapped(message)) ?? message);
  const reading = readMessage(report);
  return {
    ...reading,
    returnPaths: findReturnPaths(message.headers, report),
    kind: kindOf(message, reading.unnamed ? "bounce" : reading.report.kind),
  };
}

/**
 * Opens the report inside a message by which a virus scanner or gateway forwards it. Such a message
 * has no status part of its own.
 */
async function openWrapped(message: OpenedMessage): Promise<OpenedMessage | undefined> {
  const { headers, originals, deliveryStatus } = message;
  const [inner] = originals;
  const isSystem = natureOf(headers) === "system";
  if (!isSystem || deliveryStatus.length > 0 || inner === undefined) return undefined;
  const opened = await openMessage(new TextEncoder().encode(inner));
  return opened && opened.deliveryStatus.length > 0 ? opened : undefined;
}

function reportOf(message: OpenedMessage): Report {
  const text = splitAtOriginal(message.text);
  const originals = [...message.originals.map((part) => part.split("\n")), text.quoted].map(
    readOriginalFields,
  );
  return {
    message,
    subject: fieldValue(message.headers, "subject"),
    text,
    originals,
    parties: partiesOf(message.headers, originals),
  };
}

function readMessage(report: Report): Reading {
  const told = readComplaint(report) ?? readSesNotification(report.message.text);
  return told ? { report: told } : readBounce(report);
}

/** Reads a complaint; undefined for any other message. */
function readComplaint(report: Report): BounceReport | undefined {
  const feedback = readComplaintOf(report.message, report.originals);
  if (!feedback) return undefined;
  if (feedback.kind === "no_complaint") return OTHER;
  const named =
    feedback.recipients.length > 0
      ? feedback.recipients
      : report.originals.flatMap(originalRecipients);
  const recipients = [...new Set(named)].slice(0, MAX_RECIPIENTS).map((email) => ({
    email,
    verdict: "not_address" as const,
    reason: "unknown" as const,
    diagnostic: toDiagnostic(`complaint: ${feedback.type}`),
  }));
  return { kind: "complaint", recipients, messageIds: messageIdsOf(report) };
}

function readBounce(report: Report): Reading {
  const { message } = report;
  const nature = natureOf(message.headers);
  const hasStatus = message.deliveryStatus.length > 0;
  const isReport = hasStatus && message.contentType === "multipart/report";
  if ((!isReport && nature !== "system") || isReadReceipt(message.headers))
    return { report: OTHER };
  const recipients = findRecipients(report);
  if (recipients.length === 0) return { report: OTHER, unnamed: judgeUnnamed(report) };
  return {
    report: {
      kind: "bounce",
      recipients: recipients.slice(0, MAX_RECIPIENTS),
      messageIds: messageIdsOf(report),
    },
  };
}

/** Detects a read receipt, which reports a mail that did arrive (RFC 8098 section 3). */
const isReadReceipt = (headers: HeaderFields) =>
  /report-type\s*=\s*"?disposition-notification/i.test(fieldValue(headers, "content-type"));

/** Returns the sender of the original, the addressee of the report, and the reporting system. */
function partiesOf(headers: HeaderFields, originals: readonly HeaderFields[]): Set<EmailAddress> {
  const fields = [
    ...["to", "from", "delivered-to", "return-path", "reply-to"].map((name) =>
      fieldValue(headers, name),
    ),
    ...originals.flatMap((original) =>
      ["from", "return-path", "reply-to"].map((name) => fieldValue(original, name)),
    ),
  ];
  return new Set(fields.flatMap(findAddresses));
}

function messageIdsOf({ message, text, originals }: Report): string[] {
  const inText = [...text.own, ...text.quoted]
    .slice(0, 3000)
    .flatMap(
      (line) => /^[\s>*|]{0,20}message-?id[^:<]{0,20}:\s*(.{1,1000})/i.exec(line)?.[1] ?? [],
    );
  const values = [
    ...originals.map((original) => fieldValue(original, "message-id")),
    ...inText,
    fieldValue(message.headers, "in-reply-to"),
  ].flatMap(findMessageIds);
  const references = findMessageIds(fieldValue(message.headers, "references")).toReversed();
  return [...new Set([...values, ...references])].slice(0, MAX_MESSAGE_IDS);
}
