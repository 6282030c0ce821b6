/**
 * Interprets a message from a bounce mailbox: delivery reports (RFC 3464, RFC 6533, Exim's
 * X-Failed-Recipients, the wording of older systems) and complaints (RFC 5965).
 *
 * Anybody can write to that mailbox. The parser reads at most 256 KiB, takes no quoted mail as
 * evidence, and returns at most 100 recipients and 5 message ids. Callers check whether a recipient
 * belongs to the project.
 */
import { anyOf } from "./any-of.ts";
import type { EmailAddress } from "../address.ts";
import { readDeliveryStatus, type RecipientStatus } from "./delivery-status.ts";
import { type Evidence, hasCode, judgeEvidence, readEvidence } from "./evidence.ts";
import { readFeedbackReport } from "./feedback-report.ts";
import { findAddresses } from "./find-addresses.ts";
import { fieldValue, type HeaderFields } from "./header-fields.ts";
import { announcesFailure, natureOf } from "./message-nature.ts";
import { openMessage, type OpenedMessage } from "./open-report.ts";
import {
  findMessageIds,
  originalRecipients,
  readOriginalFields,
  type SplitText,
  splitAtOriginal,
} from "./quoted-original.ts";
import {
  type BouncedRecipient,
  type BounceReport,
  MAX_RECIPIENTS,
  toDiagnostic,
} from "./report.ts";
import { mentionedAddresses, scanText } from "./scan-text.ts";

const MAX_MESSAGE_IDS = 5;
/** Wording of a report that only warns, while the system keeps trying. */
const DELAY_NOTICE = anyOf(
  String.raw`warning message only|(?:do|does) not need to resend|no action is required`,
  String.raw`(?:will|to) (?:be retried|keep trying|continue to try|continue trying|retry)`,
  String.raw`(?:attempts|try(?:ing)?) will (?:be )?continue|still (?:being )?(?:retr|tr(?:y|ied)|attempt|queued)`,
  String.raw`(?:has|have) (?:not yet|been) (?:been )?(?:delivered yet|delayed)`,
  String.raw`has not yet been delivered`,
  String.raw`(?:delivery|message|mail) (?:is |was |has been )?(?:temporarily )?delayed`,
  String.raw`temporary problem while delivering|could not send message for past`,
);

/** A message with everything that is read from it once. */
interface Report {
  message: OpenedMessage;
  subject: string;
  text: SplitText;
  /** Header fields of the mail that the report is about, best source first. */
  originals: HeaderFields[];
  /** Addresses of the sender and the reporting system, which are never failed recipients. */
  parties: ReadonlySet<EmailAddress>;
}

const OTHER: BounceReport = { kind: "other", recipients: [], messageIds: [] };

/**
 * Parses one message from a bounce mailbox; no content makes it throw. Recipients come from the
 * first source that names any: Final-Recipient and Original-Recipient, X-Failed-Recipients, the
 * report's own wording, the To field of the returned mail.
 */
export async function parseBounce(raw: Uint8Array): Promise<BounceReport> {
  const message = await openMessage(raw);
  if (!message) return OTHER;
  const text = splitAtOriginal(message.text);
  const originals = [...message.originals.map((part) => part.split("\n")), text.quoted].map(
    readOriginalFields,
  );
  const report: Report = {
    message,
    subject: fieldValue(message.headers, "subject"),
    text,
    originals,
    parties: partiesOf(message.headers, originals),
  };
  return readComplaint(report) ?? readBounce(report);
}

/** Reads a complaint; undefined when the message has no feedback report. */
function readComplaint(report: Report): BounceReport | undefined {
  const [part] = report.message.feedbackReports;
  if (part === undefined) return undefined;
  const feedback = readFeedbackReport(part);
  if (feedback.kind === "no_complaint") return OTHER;
  const named =
    feedback.recipients.length > 0
      ? feedback.recipients
      : report.originals.flatMap(originalRecipients);
  const recipients = [...new Set(named)].slice(0, MAX_RECIPIENTS).map((email) => ({
    email,
    verdict: "not_address" as const,
    diagnostic: toDiagnostic(`complaint: ${feedback.type}`),
  }));
  return { kind: "complaint", recipients, messageIds: messageIdsOf(report) };
}

function readBounce(report: Report): BounceReport {
  const { message } = report;
  const nature = natureOf(message.headers, report.subject);
  const hasStatus = message.deliveryStatus.length > 0;
  const isReport = hasStatus && message.contentType === "multipart/report";
  if ((!isReport && nature !== "system") || isReadReceipt(message.headers)) return OTHER;
  const recipients = findRecipients(report);
  if (recipients.length === 0) return OTHER;
  return {
    kind: "bounce",
    recipients: recipients.slice(0, MAX_RECIPIENTS),
    messageIds: messageIdsOf(report),
  };
}

/** Recognises a read receipt, which reports a mail that did arrive (RFC 8098 section 3). */
const isReadReceipt = (headers: HeaderFields) =>
  /report-type\s*=\s*"?disposition-notification/i.test(fieldValue(headers, "content-type"));

/** Finds recipients in the status parts, else in fields in the text, else in the wording. */
function findRecipients(report: Report): BouncedRecipient[] {
  const parts = report.message.deliveryStatus;
  const statuses = (parts.length > 0 ? parts : [embeddedStatus(report.text.own)]).flatMap(
    readDeliveryStatus,
  );
  const failures = statuses.filter(({ action }) => action !== "delivered");
  if (statuses.length > 0 && failures.length === 0) return [];
  const recipients = fromStatuses(failures, report);
  return recipients.length > 0 ? recipients : fromWords(report);
}

function fromStatuses(failures: RecipientStatus[], report: Report): BouncedRecipient[] {
  const recipients = new Map<EmailAddress, BouncedRecipient>();
  for (const status of failures) {
    const { email } = status;
    if (email === undefined || recipients.has(email)) continue;
    recipients.set(email, { email, ...judgeStatus(status, failures.length === 1, report) });
  }
  return [...recipients.values()];
}

function judgeStatus(
  { action, evidence, diagnostic }: RecipientStatus,
  isOnly: boolean,
  report: Report,
): Omit<BouncedRecipient, "email"> {
  if (action === "delayed") return { verdict: "temporary", diagnostic: toDiagnostic(diagnostic) };
  const said = needsWords(evidence) && isOnly ? withWordsOf(report, evidence) : evidence;
  return { verdict: judgeEvidence(said ?? {}), diagnostic: toDiagnostic(diagnostic) };
}

/** Returns true for a status that names no cause (5.0.0); the text for people may name one. */
const needsWords = (evidence: Evidence | undefined) =>
  evidence === undefined ||
  (evidence.wording === undefined && /^5\.0\.0$/.test(evidence.enhanced ?? "5.0.0"));

function withWordsOf({ text }: Report, evidence: Evidence | undefined): Evidence | undefined {
  const words = readEvidence(text.own.join("\n"));
  return words || evidence ? { ...words, ...evidence } : undefined;
}

function fromWords(report: Report): BouncedRecipient[] {
  const { own } = report.text;
  const overall = readEvidence(own.join("\n"));
  const isDelay = DELAY_NOTICE.test(`${report.subject}\n${own.join("\n")}`);
  const scanned = scanText(own, (email) => report.parties.has(email));
  const listed = failedRecipientsHeader(report.message.headers);
  const named: FoundRecipient[] =
    listed.length > 0
      ? listed.map((email) => scanned.find((found) => found.email === email) ?? bare(email))
      : scanned.length > 0
        ? scanned
        : lastResort(report, overall).map(bare);
  const isOnly = named.length === 1;
  return named.map(({ email, evidence, line }) => {
    const said = isOnly || listed.length > 0 ? strongest(evidence, overall) : evidence;
    const verdict = isDelay ? "temporary" : judgeEvidence(said ?? {});
    return { email, verdict, diagnostic: toDiagnostic(line) };
  });
}

type FoundRecipient = { email: EmailAddress; evidence: Evidence | undefined; line: string };

const bare = (email: EmailAddress): FoundRecipient => ({ email, evidence: undefined, line: "" });

const strongest = (near: Evidence | undefined, overall: Evidence | undefined) =>
  near && (hasCode(near) || !overall || !hasCode(overall)) ? near : (overall ?? near);

/** Extracts status fields that a system wrote into the text for people. */
function embeddedStatus(own: readonly string[]): string {
  const start = own.findIndex((line) => /^(?:final|original)-recipient:/i.test(line));
  return start === -1 ? "" : own.slice(Math.max(0, start - 1)).join("\n");
}

const failedRecipientsHeader = (headers: HeaderFields) => [
  ...new Set((headers.get("x-failed-recipients") ?? []).flatMap(findAddresses)),
];

/**
 * Handles a failure without an address beside it: takes the only address mentioned, or the only
 * original To.
 */
function lastResort(report: Report, overall: Evidence | undefined): EmailAddress[] {
  if (!overall && !announcesFailure(report.subject)) return [];
  const mentioned = mentionedAddresses(report.text.own, (email) => report.parties.has(email));
  if (mentioned.length === 1) return mentioned;
  const addressees = [...new Set(report.originals.flatMap(originalRecipients))];
  return addressees.length === 1 ? addressees : [];
}

/** Collects the sender of the original, the addressee of the report and the reporting system. */
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
