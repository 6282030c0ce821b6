/**
 * The failed recipients of a delivery report, from the first source that names any: its status
 * parts (RFC 3464), status fields in the human-readable text, X-Failed-Recipients, the wording, and
 * the To field of the returned mail.
 */
import { anyOf } from "./any-of.ts";
import type { EmailAddress } from "../address.ts";
import {
  combineEvidence,
  isGeneralCode,
  readDeliveryStatus,
  type RecipientStatus,
} from "./delivery-status.ts";
import { type Evidence, hasCode, judgeEvidence, readEvidence } from "./evidence.ts";
import { findAddresses } from "./find-addresses.ts";
import type { HeaderFields } from "./header-fields.ts";
import { announcesFailure } from "./message-kind.ts";
import type { OpenedMessage } from "./open-report.ts";
import { originalRecipients, type SplitText } from "./quoted-original.ts";
import { type BouncedRecipient, toDiagnostic } from "./report.ts";
import { isQuoted, mentionedAddresses, scanText } from "./scan-text.ts";
import { holdsToken } from "../return-path.ts";

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

/** A parsed message, so that nothing is parsed twice. */
export interface Report {
  message: OpenedMessage;
  subject: string;
  text: SplitText;
  /** Header fields of the original mail, best source first. */
  originals: HeaderFields[];
  /** Addresses of the sender and the reporting system, which are never failed recipients. */
  parties: ReadonlySet<EmailAddress>;
}

/** Number of lines searched for the reason of a failure that names no recipient. */
const REASON_LINES = 100;

/** A failure without a named recipient. */
export type UnnamedFailure = Omit<BouncedRecipient, "email">;

/** Finds recipients in the status parts, else in status fields in the text, else in the wording. */
export function findRecipients(report: Report): BouncedRecipient[] {
  const failures = findFailures(report);
  if (!failures) return [];
  const recipients = fromStatuses(failures, report);
  return recipients.length > 0 ? recipients : fromWords(report);
}

/** Classifies a failure whose recipient the report does not name; undefined if there is none. */
export function judgeUnnamed(report: Report): UnnamedFailure | undefined {
  const own = report.text.own.slice(0, REASON_LINES).filter((line) => !isQuoted(line));
  const failures = findFailures(report);
  const overall = readEvidence(own.join("\n"));
  const [status] = failures ?? [];
  if (!failures || (!status && !overall)) return undefined;
  if (status) return judgeStatus(status, undefined, overall);
  const mentioned = mentionedAddresses(own, holdsToken);
  if (mentioned.length > 0) return undefined; // it may be about any of them, including us
  const judged = judgeEvidence(overall ?? {});
  const line = own.find((text) => readEvidence(text.slice(0, 1000))) ?? "";
  return {
    ...judged,
    ...(isDelay(report) ? DELAYED : {}),
    diagnostic: toDiagnostic(line),
  };
}

/** Returns the failures in the status parts; undefined if they report only deliveries. */
function findFailures({ message, text }: Report): RecipientStatus[] | undefined {
  const parts = message.deliveryStatus;
  const statuses = (parts.length > 0 ? parts : [embeddedStatus(text.own)]).flatMap(
    readDeliveryStatus,
  );
  const failures = statuses.filter(({ action }) => action !== "delivered");
  return statuses.length > 0 && failures.length === 0 ? undefined : failures;
}

const isDelay = ({ subject, text }: Report) =>
  DELAY_NOTICE.test(`${subject}\n${text.own.join("\n")}`);

/** Verdict on a delay notice. */
const DELAYED = { verdict: "temporary", isDelay: true } as const;

function fromStatuses(failures: RecipientStatus[], report: Report): BouncedRecipient[] {
  const recipients = new Map<EmailAddress, BouncedRecipient>();
  const { own } = report.text;
  const scanned = scanText(own, (email) => report.parties.has(email));
  const overall = failures.length === 1 ? readEvidence(own.join("\n")) : undefined;
  for (const status of failures) {
    const { email } = status;
    if (email === undefined || recipients.has(email)) continue;
    const near = scanned.find((found) => found.email === email);
    recipients.set(email, { email, ...judgeStatus(status, near, overall) });
  }
  return [...recipients.values()];
}

/** Classifies one status; `near` is the human-readable text about its recipient. */
function judgeStatus(
  { action, evidence, diagnostic }: RecipientStatus,
  near: FoundRecipient | undefined,
  overall: Evidence | undefined,
): Omit<BouncedRecipient, "email"> {
  const words = needsWords(evidence) ? (near?.evidence ?? overall) : undefined;
  const phase = evidence?.phase ?? near?.evidence?.phase;
  const all = { ...combineEvidence(evidence, words), ...(phase ? { phase } : {}) };
  const judged = judgeEvidence(all);
  return {
    ...judged,
    ...(action === "delayed" ? DELAYED : {}),
    diagnostic: toDiagnostic(words && near ? near.line : diagnostic),
  };
}

/**
 * Returns true for a status without a cause (5.0.0, 5.5.0); the human-readable text may name one.
 */
const needsWords = (evidence: Evidence | undefined) =>
  evidence === undefined ||
  (evidence.said === undefined && isGeneralCode(evidence.enhanced ?? "5.0.0"));

function fromWords(report: Report): BouncedRecipient[] {
  const { own } = report.text;
  const overall = readEvidence(own.join("\n"));
  const isOnlyDelayed = isDelay(report);
  const scanned = scanText(own, (email) => report.parties.has(email));
  const listed = failedRecipientsHeader(report.message.headers);
  const named: FoundRecipient[] =
    listed.length > 0
      ? listed.map((email) => scanned.find((found) => found.email === email) ?? bare(email))
      : scanned.length > 0
        ? scanned
        : lastResort(report, overall).map(bare);
  const isOnly = named.length === 1;
  const isShared = listed.length > 0 && named.every(({ evidence }) => !evidence);
  const shared = isShared ? overall : undefined;
  return named.map(({ email, evidence, line }) => {
    const all = isOnly ? strongest(evidence, overall) : (evidence ?? shared);
    const judged = judgeEvidence(all ?? {});
    return {
      email,
      ...judged,
      ...(isOnlyDelayed ? DELAYED : {}),
      diagnostic: toDiagnostic(line),
    };
  });
}

type FoundRecipient = { email: EmailAddress; evidence: Evidence | undefined; line: string };

const bare = (email: EmailAddress): FoundRecipient => ({ email, evidence: undefined, line: "" });

const strongest = (near: Evidence | undefined, overall: Evidence | undefined) =>
  near && (hasCode(near) || !overall || !hasCode(overall)) ? near : (overall ?? near);

/** Extracts status fields from the human-readable text. */
function embeddedStatus(own: readonly string[]): string {
  const start = own.findIndex((line) => /^(?:final|original)-recipient:/i.test(line));
  return start === -1 ? "" : own.slice(Math.max(0, start - 1)).join("\n");
}

const failedRecipientsHeader = (headers: HeaderFields) => [
  ...new Set((headers.get("x-failed-recipients") ?? []).flatMap(findAddresses)),
];

/**
 * Handles a failure without an address next to it: uses the only address mentioned, or the only
 * original To.
 */
function lastResort(report: Report, overall: Evidence | undefined): EmailAddress[] {
  if (!overall && !announcesFailure(report.subject)) return [];
  const mentioned = mentionedAddresses(report.text.own, (email) => report.parties.has(email));
  if (mentioned.length === 1) return mentioned;
  const addressees = [...new Set(report.originals.flatMap(originalRecipients))];
  return addressees.length === 1 ? addressees : [];
}
