import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { EmailAddress } from "../../mail/address.ts";
import type { RefusalReason } from "../../mail/bounce/index.ts";
import { countComplaints, markBounced, reportEvents } from "../email-log/index.ts";
import { leaveAtProvider } from "../subscribers/index.ts";
import { hardBounce, suppressStatements, type NewSuppression } from "../suppressions/index.ts";

/** The source of reports, recorded with each suppression. */
export type ReportSource = "imap" | "email" | "ingest";

/** An address that a report declares invalid, or whose owner complained or unsubscribed. */
export interface Finding {
  kind: "bounce" | "complaint" | "opt_out";
  email: EmailAddress;
  /** The text from the server or provider; "" if there is none. */
  words: string;
  reason: RefusalReason;
  logId: string | undefined;
}

/**
 * Returns the suppression that a finding causes. A complaint is not a bounce, because its mail was
 * delivered.
 */
export function suppressionOf(
  source: ReportSource,
  { kind, email, words }: Finding,
): NewSuppression {
  if (kind === "complaint") return { email, reason: "manual", source: "complaint" };
  if (kind === "opt_out") return { email, reason: "unsubscribed", source };
  return hardBounce(email, source, words);
}

/**
 * Returns the statements that record findings: those of `before`, then those of `added`, whose last
 * one inserts the new suppressions. They do nothing if `when` is false.
 */
export function bounceStatements(
  deps: Deps,
  projectId: string,
  findings: Finding[],
  source: ReportSource,
  when: SQL = sql`true`,
) {
  const bounces = findings
    .filter(({ kind }) => kind === "bounce")
    .map(({ email, logId, words, reason }) => ({
      email,
      logId,
      error: words || "bounced",
      reason,
    }));
  const complaints = findings
    .filter(({ kind }) => kind === "complaint")
    .map(({ email, logId }) => ({ email, logId }));
  const returned = bounces.flatMap(({ logId, error, reason }) =>
    logId === undefined ? [] : [{ logId, error, reason, by: source }],
  );
  const leavers = findings.flatMap(({ kind, email }) => (kind === "opt_out" ? [email] : []));
  const complained = complaints.flatMap(({ logId }) => logId ?? []);
  const suppressions = findings.map((finding) => suppressionOf(source, finding));
  return {
    before: [
      // First, because it reads which addresses and mails are not yet suppressed or marked.
      ...reportEvents(deps, projectId, "email.bounced", bounces, when),
      ...reportEvents(deps, projectId, "email.complained", complaints, when),
      ...markBounced(deps, projectId, returned, when),
      ...countComplaints(deps.db, projectId, complained, when),
      ...leaveAtProvider(deps, projectId, leavers, when),
    ],
    added: suppressStatements(deps, projectId, suppressions, when),
  };
}
