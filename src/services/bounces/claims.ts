import type { EmailAddress } from "../../mail/address.ts";
import {
  entriesOfReport,
  isSoftBounce,
  type IngestEntry,
  type ReadReport,
  type RefusalReason,
} from "../../mail/bounce/index.ts";
import type { LoggedMail } from "../email-log/index.ts";
import { isLogId, type ReturnedTo } from "../tracking/index.ts";

/** The mail that a claim is about. */
export interface FoundMail {
  logId: string | undefined;
  /** The time of that mail in milliseconds. */
  sentAt: number | undefined;
  /** True if the report names the id of a mail sent to its address. */
  isProven: boolean;
  /**
   * True if the project mailed the address within the recent days, and no mail was opened or
   * clicked since.
   */
  isRecent: boolean;
  /** True if the project has mailed the address or has it as a subscriber. */
  isKnown: boolean;
  isSuppressed: boolean;
}

/** What a report says about one address. */
export interface Claim {
  email: EmailAddress;
  /** `soft` means that the mailbox temporarily accepts no mail. */
  kind: "bounce" | "complaint" | "opt_out" | "soft";
  /** The text of the server or provider; "" if there is none. */
  words: string;
  reason: RefusalReason;
  /** The Message-IDs of the mail without angle brackets, as quoted in the report. */
  messageIds: string[];
  /** The mail that the report names. */
  found?: FoundMail | undefined;
}

/** The mail that the return path of a report names. */
export type ReturnedMail = LoggedMail & ReturnedTo;

/** A report as its source reads it. */
export interface Report {
  /** Addresses of which one may be the return path of the bounced mail. */
  returnPaths: EmailAddress[];
  /** True for a bounce or complaint, including one that names no address. */
  isFailure: boolean;
  /** Returns what the report says, given the mail of its return path. */
  claimsWith: (mail?: ReturnedMail) => Claim[];
}

/** Returns the report of a posted entry. It counts as a bounce if `isRefusalHard` and rejected. */
export const reportOfEntry = (entry: IngestEntry, isRefusalHard: boolean): Report => ({
  returnPaths: [],
  isFailure: true,
  claimsWith: () => claimOf(entry, isRefusalHard),
});

/** Returns the report in a message. */
export const reportOfMessage = (read: ReadReport, isRefusalHard = false): Report => ({
  returnPaths: read.returnPaths,
  isFailure: read.kind === "bounce" || read.kind === "complaint",
  claimsWith: (mail) => claimsOf(read, mail, isRefusalHard),
});

/** Returns the claim as a list, empty if the address needs no change. */
function claimOf(entry: IngestEntry, isRefusalHard: boolean): Claim[] {
  const { email, reason: words, cause: reason, messageId } = entry;
  const kind = kindOf(entry, isRefusalHard);
  return kind ? [{ email, kind, words, reason, messageIds: [messageId ?? []].flat() }] : [];
}

function kindOf({ kind, cause, isDelay }: IngestEntry, isRefusalHard: boolean) {
  if (kind === "refusal" && isRefusalHard) return "bounce";
  if (kind !== "refusal" && kind !== "harmless") return kind;
  return isSoftBounce(cause) && !isDelay ? "soft" : undefined;
}

const COMPLAINT = { verdict: "not_address", reason: "unknown", diagnostic: "complaint" } as const;

/**
 * Returns the claims of a message about each address. A valid return path proves what it says about
 * the recipient of that mail, even if it names no address. A bounce that names only other addresses
 * proves nothing about that recipient, because an alias with many members still works when one of
 * them bounces. A message about a mail to an erased address claims nothing, because a claim would
 * name the address.
 */
function claimsOf(
  { report, unnamed }: ReadReport,
  mail: ReturnedMail | undefined,
  isRefusalHard: boolean,
): Claim[] {
  if (mail?.toEmail === "") return [];
  const { kind, recipients, messageIds } = report;
  const claims = (of: Parameters<typeof entriesOfReport>[0]) =>
    entriesOfReport(of).flatMap((entry) =>
      claimOf(entry, isRefusalHard).map((claim) => ({ ...claim, messageIds })),
    );
  const told = claims(report);
  if (!mail) return told;
  const email = mail.toEmail as EmailAddress; // the service sent it
  const found = foundMail(mail, true);
  if (recipients.some((recipient) => recipient.email === email))
    return told.map((claim) => (claim.email === email ? { ...claim, found } : claim));
  if (mail.hasCopies) return told;
  const isComplaint = kind === "complaint";
  const nameless = isComplaint ? (recipients[0] ?? COMPLAINT) : unnamed;
  if (nameless) {
    const about = { kind: isComplaint ? kind : "bounce", messageIds } as const;
    const own = claims({ ...about, recipients: [{ ...nameless, email }] });
    return [...told, ...own.map((claim) => ({ ...claim, found }))];
  }
  const other = told.find((claim) => claim.kind === "bounce");
  if (!other) return told;
  const words = `${other.email}: ${other.words}`;
  return [...told, { ...other, email, words, found: foundMail(mail, false) }];
}

/** Converts a mail of the log to the mail of a claim. */
export const foundMail = (
  { id, sentAt }: Pick<LoggedMail, "id" | "sentAt">,
  isProven: boolean,
): FoundMail => ({
  logId: id,
  sentAt,
  isProven,
  isRecent: false,
  isKnown: true,
  isSuppressed: false,
});

/**
 * Returns the log ids in a claim. The service's Message-IDs are `logId@domain`
 * (services/mailing/compose-mail.ts).
 */
export function logIdsOf({ messageIds }: Pick<Claim, "messageIds">): string[] {
  return messageIds.map((id) => id.split("@", 1)[0]?.toLowerCase() ?? "").filter(isLogId);
}
