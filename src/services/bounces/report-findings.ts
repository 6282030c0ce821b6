import type { EmailAddress } from "../../mail/address.ts";
import { isSoftBounce, type ReadReport } from "../../mail/bounce/index.ts";
import type { BounceClue, FoundMail } from "./find-mails.ts";
import type { ReportedFinding } from "./record-reports.ts";
import type { ReturnedMail } from "./returned-mails.ts";

/** A finding of a report, with the mail that its return path names. */
export type ReportFinding = BounceClue &
  Omit<ReportedFinding, "logId"> & { found?: FoundMail | undefined };

type Failure = Pick<
  ReadReport["report"]["recipients"][number],
  "verdict" | "reason" | "diagnostic" | "isDelay"
>;

/**
 * Returns the findings of a report about each address. A valid return path proves what the report
 * says about the recipient of that mail, even if the report names no address. A bounce that names
 * only other addresses is held for manual review, because an alias with many members still works
 * when one of them bounces. A report about a mail to an erased address yields no finding, because a
 * finding would name the address.
 */
export function findingsOf(
  { report, unnamed }: ReadReport,
  mail: ReturnedMail | undefined,
): ReportFinding[] {
  if (mail?.toEmail === "") return [];
  const { kind, recipients, messageIds } = report;
  const told = recipients.flatMap(({ email, ...failure }) =>
    findingOf(kind, { email, messageIds }, failure),
  );
  if (!mail) return told;
  const email = mail.toEmail as EmailAddress; // the service sent it
  const clue = { email, messageIds };
  const proof = foundMail(mail, true);
  if (recipients.some((recipient) => recipient.email === email))
    return told.map((finding) =>
      finding.email === email ? { ...finding, found: proof } : finding,
    );
  if (mail.hasCopies) return told;
  const nameless = kind === "complaint" ? (recipients[0] ?? COMPLAINT) : unnamed;
  if (nameless) {
    const about = findingOf(kind === "complaint" ? kind : "bounce", clue, nameless);
    return [...told, ...about.map((finding) => ({ ...finding, found: proof }))];
  }
  const other = told.find((finding) => finding.kind === "bounce");
  if (!other) return told;
  const words = `${other.email}: ${other.words}`;
  return [...told, { ...other, ...clue, words, found: foundMail(mail, false) }];
}

/** Returns true for a bounce or complaint, including one that names no address. */
export const concernsMail = ({ report, unnamed }: ReadReport): boolean =>
  report.kind !== "other" || unnamed !== undefined;

const COMPLAINT: Failure = {
  verdict: "not_address",
  reason: "unknown",
  diagnostic: "complaint",
};

/** Returns the finding as a list, empty if the address needs no change. */
function findingOf(
  kind: ReadReport["report"]["kind"],
  clue: BounceClue,
  { verdict, reason, diagnostic, isDelay }: Failure,
): ReportFinding[] {
  const finding = { ...clue, words: diagnostic, reason };
  if (kind === "other") return [];
  if (kind === "complaint") return [{ kind, ...finding }];
  if (verdict === "bad_address") return [{ kind, ...finding }];
  return isSoftBounce(reason) && !isDelay ? [{ kind: "soft", ...finding }] : [];
}

/** Converts a mail of the log to the mail of a finding. */
export const foundMail = (
  { id, sentAt }: Pick<ReturnedMail, "id" | "sentAt">,
  isProven: boolean,
): FoundMail => ({
  logId: id,
  sentAt,
  isProven,
  isRecent: false,
  isKnown: true,
  isSuppressed: false,
});
