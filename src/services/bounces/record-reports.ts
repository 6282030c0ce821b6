import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatchAfter, type Statement } from "../../db/client.ts";
import { countReported, type ReportedRefusal } from "../suppressions/index.ts";
import { boundNotices, claimDailyBound } from "./daily-bound.ts";
import type { FoundMail, FoundMails } from "./find-mails.ts";
import { bounceStatements, consequenceOf, type Finding } from "./record-bounces.ts";
import { keepUnverified } from "./unverified-queries.ts";

/** A finding of a report. A soft finding means that the mailbox temporarily accepts no mail. */
export type ReportedFinding = Omit<Finding, "kind"> & { kind: Finding["kind"] | "soft" };

/** A finding about an address that the project knows, with its proof. */
type KnownFinding = ReportedFinding & FoundMail;
type HardFinding = Finding & FoundMail;

const isHard = (finding: KnownFinding): finding is HardFinding => finding.kind !== "soft";

/** Reports sorted by the effect that they may have. */
export interface SortedReports {
  /** Findings that name a mail to their own address. */
  proven: Finding[];
  /** Findings without proof within the daily limit, one per address. */
  believed: Finding[];
  /** Findings without proof, held for manual review. */
  held: Finding[];
  /** Findings that name a mail and whose mailbox temporarily accepts no mail. */
  soft: ReportedRefusal[];
  /** True if the daily limit held back some of the findings. */
  isBoundReached: boolean;
}

interface ReportRules {
  /** The source of the reports, recorded with each suppression. */
  origin: "imap" | "email";
  /** The condition on `value ->> 'email'` of the reports held for manual review. */
  isKept: SQL;
}

/**
 * Sorts reports by their proof. A report without proof adds nothing about an address that is
 * already suppressed or that a proven report names.
 */
export function sortByProof(
  known: KnownFinding[],
  { settings, allowance }: Pick<FoundMails, "settings" | "allowance">,
): SortedReports {
  const findings = known.filter(isHard);
  const soft = known.filter((one) => !isHard(one) && one.isProven);
  const proven = findings.filter(({ isProven }) => isProven);
  const decided = new Set(proven.map(({ email }) => email));
  const open = findings.filter(
    ({ isProven, isSuppressed, email }) => !isProven && !isSuppressed && !decided.has(email),
  );
  const mayBelieve = (finding: HardFinding) =>
    settings.bounceProof === "recent" && finding.isRecent;
  const candidates = firstOfEach(open.filter(mayBelieve));
  const believed = candidates.slice(0, allowance);
  const left = new Set(candidates.slice(allowance).map(({ email }) => email));
  const held = open.filter((finding) => !mayBelieve(finding) || left.has(finding.email));
  return { proven, believed, held, soft, isBoundReached: left.size > 0 };
}

function firstOfEach(findings: HardFinding[]): HardFinding[] {
  const first = new Map<string, HardFinding>();
  for (const finding of findings) if (!first.has(finding.email)) first.set(finding.email, finding);
  return [...first.values()];
}

/**
 * Records sorted reports in one atomic batch. If another poll has used up the daily limit in the
 * meantime, the believed reports are held as well. Returns the number of addresses added to the
 * suppression list, and of reports held for manual review.
 */
export async function recordReports(
  deps: Deps,
  projectId: string,
  { proven, believed, held, soft, isBoundReached }: SortedReports,
  { origin, isKept }: ReportRules = { origin: "imap", isKept: sql`true` },
): Promise<{ suppressed: number; unverified: number }> {
  const consequencesOf = (findings: Finding[]) =>
    findings.map((finding) => consequenceOf(origin, finding));
  const claim = claimDailyBound(deps, projectId, believed.length);
  const sure = bounceStatements(deps, projectId, consequencesOf(proven));
  const likely = bounceStatements(deps, projectId, consequencesOf(believed), claim.isClaimed);
  const keep = (findings: Finding[], when = sql`true`): Statement[] =>
    findings.length === 0 ? [] : [keepUnverified(deps, projectId, findings.map(rowOf), when)];
  const before = [
    ...(believed.length > 0 ? [claim.statement] : []),
    ...sure.before,
    ...likely.before,
    ...countReported(deps, projectId, soft),
    ...keep(held, isKept),
    ...keep(believed, sql`not ${claim.isClaimed}`),
    ...(believed.length > 0 || isBoundReached ? boundNotices(deps, projectId) : []),
  ];
  const results = await runBatchAfter(deps.db, before, [...sure.added, ...likely.added]);
  const inserted = results
    .filter((_, index) => index % 2 === 1) // each pair counts, then inserts
    .map(({ meta }) => meta.changes);
  const suppressed = inserted.reduce((sum, rows) => sum + rows, 0);
  const isRefused = believed.length > 0 && inserted.at(-1) === 0;
  return { suppressed, unverified: held.length + (isRefused ? believed.length : 0) };
}

const rowOf = ({ kind, email, reason, words, logId }: Finding) => ({
  kind,
  email,
  reason,
  words,
  logId: logId ?? null,
});
