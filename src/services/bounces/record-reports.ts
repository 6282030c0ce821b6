import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatchAfter, type Statement } from "../../db/client.ts";
import { countReported, type ReportedRefusal } from "../suppressions/index.ts";
import { boundNotices, claimDailyBound } from "./daily-bound.ts";
import type { Claim, FoundMail } from "./claims.ts";
import { findMails } from "./find-mails.ts";
import { bounceStatements, type Finding, type ReportSource } from "./record-bounces.ts";
import { keepUnverified } from "./unverified-queries.ts";

/** A claim with its proof. */
type KnownClaim = Claim & Pick<FoundMail, "logId" | "sentAt"> & Partial<FoundMail>;
type HardClaim = KnownClaim & Pick<Finding, "kind">;

const isHard = (claim: KnownClaim): claim is HardClaim => claim.kind !== "soft";

/** Reports sorted by the effect that they may have. */
export interface SortedReports {
  /** Findings that name a mail to their own address. */
  proven: Finding[];
  /** Findings without proof within the daily limit, one per address. */
  believed: Finding[];
  /** Findings without proof, held for manual review. */
  held: Finding[];
  /** Proven findings whose mailbox temporarily accepts no mail. */
  soft: ReportedRefusal[];
  /** True if the daily limit held back some of the findings. */
  isBoundReached: boolean;
}

/**
 * Records claims of reports as far as they are proven. A posted body is proven by its token or
 * signature, whomever it is about. Otherwise a claim without proof counts within the limits of
 * `bounce_proof` if it is from a mailbox, and never if it is from email routing; claims about known
 * addresses that do not count are held for manual review. Returns the number of claims about known
 * addresses, of addresses added to the suppression list, of claims held, and of claims about
 * unknown addresses.
 */
export async function recordClaims(
  deps: Deps,
  projectId: string,
  claims: Claim[],
  source: ReportSource,
): Promise<{ known: number; suppressed: number; unverified: number; ignored: number }> {
  const isProven = source === "ingest";
  const due = claims.filter(({ kind, found }) => isProven || kind !== "soft" || found?.isProven);
  const isSearched = ({ kind, found }: Claim) => !found && kind !== "soft";
  const searched = await findMails(deps, projectId, due.filter(isSearched));
  const { settings, allowance, mails } = searched;
  const left = [...mails];
  const known = due.flatMap((claim): KnownClaim[] => {
    const mail = isSearched(claim) ? left.shift() : claim.found;
    if (isProven) return [{ logId: undefined, sentAt: undefined, ...claim, ...mail, isProven }];
    return mail?.isKnown ? [{ ...claim, ...mail }] : [];
  });
  const mayBelieve = source === "imap" && settings.bounceProof === "recent";
  const sorted = sortByProof(known, mayBelieve ? allowance : undefined);
  const recorded = await recordReports(deps, projectId, sorted, source);
  return { known: known.length, ignored: due.length - known.length, ...recorded };
}

/**
 * Sorts claims by their proof. A claim without proof adds nothing about an address that is already
 * suppressed or that a proven claim names. `allowance` limits those that count because the address
 * was mailed recently; undefined if none may.
 */
function sortByProof(known: KnownClaim[], allowance: number | undefined): SortedReports {
  const claims = known.filter(isHard);
  const soft = known.filter((claim) => !isHard(claim));
  const proven = claims.filter(({ isProven }) => isProven);
  const decided = new Set(proven.map(({ email }) => email));
  const open = claims.filter(
    ({ isProven, isSuppressed, email }) => !isProven && !isSuppressed && !decided.has(email),
  );
  const mayBelieve = ({ isRecent }: HardClaim) => allowance !== undefined && isRecent;
  const candidates = firstOfEach(open.filter(mayBelieve));
  const believed = candidates.slice(0, allowance);
  const left = new Set(candidates.slice(allowance).map(({ email }) => email));
  const held = open.filter((claim) => !mayBelieve(claim) || left.has(claim.email));
  return { proven, believed, held, soft, isBoundReached: left.size > 0 };
}

function firstOfEach(claims: HardClaim[]): HardClaim[] {
  const first = new Map<string, HardClaim>();
  for (const claim of claims) if (!first.has(claim.email)) first.set(claim.email, claim);
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
  source: ReportSource,
): Promise<{ suppressed: number; unverified: number }> {
  const claim = claimDailyBound(deps, projectId, believed.length);
  const sure = bounceStatements(deps, projectId, proven, source);
  const likely = bounceStatements(deps, projectId, believed, source, claim.isClaimed);
  const keep = (findings: Finding[], when = sql`true`): Statement[] =>
    findings.length === 0 ? [] : [keepUnverified(deps, projectId, findings.map(rowOf), when)];
  const before = [
    ...(believed.length > 0 ? [claim.statement] : []),
    ...sure.before,
    ...likely.before,
    ...countReported(deps, projectId, soft),
    ...keep(held),
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
