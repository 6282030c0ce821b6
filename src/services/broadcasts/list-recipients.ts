import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  broadcastLogId,
  isUnknown,
  logKeptFrom,
  selectOutcomes,
  type LoggedOutcome,
  type VisitFilter,
} from "../email-log/index.ts";
import type { BroadcastRow } from "./queries.ts";
import { EXAMINED_MAX, selectMembers, type Candidate, type Reaction } from "./recipient-queries.ts";

export const OUTCOMES = [
  "sent",
  "failed",
  "bounced",
  "suppressed",
  "unknown",
  "waiting",
  "skipped",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A recipient of a broadcast. `entry` is undefined if no mail is logged. */
export interface RecipientRow {
  subscriberId: string;
  email: string;
  logId: string;
  outcome: Outcome;
  entry: LoggedOutcome | undefined;
}

/** The recipients that a page shows, and the number of candidates that it examines. */
interface RecipientPage extends VisitFilter {
  outcome: Outcome | undefined;
  reaction: Reaction | undefined;
  limit: number;
  examined?: number;
}

/** A page of recipients, and the candidate after which the next page begins, if anything follows. */
interface Recipients {
  recipients: RecipientRow[];
  last: Candidate | undefined;
}

/**
 * Returns the recipients among these candidates: those whose mail is in the log, and those still
 * waiting for theirs. Skipped recipients are included only on request, because the audience may
 * have changed since. The log ids are derived from broadcast and subscriber, so each is one lookup.
 * Throws not_found.
 */
export async function listRecipients(
  ctx: Ctx,
  project: ProjectRow,
  broadcast: BroadcastRow | undefined,
  candidates: Candidate[],
  { outcome, reaction, limit, examined = EXAMINED_MAX, ...visits }: RecipientPage,
): Promise<Recipients> {
  if (!broadcast) throw notFound("broadcast");
  const named = candidates.map((one) => ({ ...one, logId: broadcastLogId(broadcast, one.id) }));
  const logIds = named.map(({ logId }) => logId);
  const found = await selectOutcomes(ctx.deps.db, project.id, logIds, visits);
  const entries = new Map(found.map((entry) => [entry.id, entry]));
  const isOver = broadcast.state === "done" || broadcast.state === "cancelled";
  const unmailed = isOver ? "skipped" : "waiting";
  const isOfMails = reaction ?? visits.visit ?? visits.link;
  const hasUnmailed = isOfMails === undefined && (outcome ?? "waiting") === unmailed;
  const without = named.filter(({ logId }) => !entries.has(logId));
  const left = hasUnmailed ? await leftOf(ctx.deps, broadcast, without, isOver) : NOBODY;
  const recipients: RecipientRow[] = [];
  let last: Candidate | undefined;
  for (const candidate of named) {
    const entry = entries.get(candidate.logId);
    if (!entry && !left.has(candidate.id)) continue;
    if (entry?.hasVisit === 0 || candidate.hasReacted === 0) continue;
    if (reaction === "complained" && entry?.status !== "sent") continue; // the complaint is about another mail
    const own = entry ? outcomeOf(entry) : unmailed;
    if (outcome !== undefined && own !== outcome) continue;
    if (recipients.length === limit) return { recipients, last };
    last = candidate;
    const { id: subscriberId, email, logId } = candidate;
    recipients.push({ subscriberId, email: entry?.toEmail ?? email, logId, outcome: own, entry });
  }
  const isMore = candidates.length === examined;
  return { recipients, last: isMore ? candidates.at(-1) : undefined };
}

const NOBODY: ReadonlySet<string> = new Set();

/**
 * Returns the candidates without a mail who are in the audience. Once a broadcast has ended, also
 * returns those who have unsubscribed since its start. Empty for a broadcast that has ended and is
 * older than the log's retention.
 */
async function leftOf(
  deps: Deps,
  broadcast: BroadcastRow,
  without: Candidate[],
  isOver: boolean,
): Promise<ReadonlySet<string>> {
  const { db } = deps;
  const { audienceWhere, topicId, fromId, createdAt } = broadcast;
  const idsOf = (some: { id: string }[]) => some.map(({ id }) => id);
  const stayed = idsOf(without.filter(({ isWanted }) => isWanted));
  const isPlain = audienceWhere === null && topicId === null && fromId === "";
  if (isPlain && !isOver) return new Set(stayed);
  if (isOver && createdAt < (logKeptFrom(deps) ?? -Infinity)) return NOBODY;
  const gone = idsOf(without.filter(({ hasLeft }) => isOver && hasLeft));
  const [inAudience, wereInAudience] = await runBatch(db, [
    selectMembers(db, broadcast, stayed),
    selectMembers(db, { ...broadcast, status: "unsubscribed" }, gone),
  ]);
  return new Set(idsOf([...inAudience, ...wereInAudience]));
}

const outcomeOf = (entry: LoggedOutcome): Outcome => (isUnknown(entry) ? "unknown" : entry.status);
