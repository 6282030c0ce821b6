import type { Ctx } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  broadcastLogId,
  isUnknown,
  selectOutcomes,
  type LoggedOutcome,
  type VisitFilter,
} from "../email-log/index.ts";
import type { BroadcastRow } from "./queries.ts";
import { EXAMINED_MAX, selectMembers, type Candidate, type Reaction } from "./recipient-queries.ts";

/** The outcome of a recipient. */
export const OUTCOMES = ["sent", "failed", "bounced", "suppressed", "unknown", "waiting"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A recipient of a broadcast; `entry` is undefined while they wait. */
export interface RecipientRow {
  subscriberId: string;
  email: string;
  logId: string;
  outcome: Outcome;
  entry: LoggedOutcome | undefined;
}

/** The recipients to show of a page, and the number of candidates that it examines. */
interface RecipientPage extends VisitFilter {
  outcome: Outcome | undefined;
  reaction: Reaction | undefined;
  limit: number;
  examined?: number;
}

/** A page of recipients, and the candidate after whom the next one begins. */
interface Recipients {
  recipients: RecipientRow[];
  last: Candidate | undefined;
}

/**
 * Returns the recipients among these candidates: those whose mail the log has, and those who still
 * wait for theirs. The log ids follow from broadcast and subscriber, so each is one look-up. Throws
 * not_found without the broadcast.
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
  const isOfMails = reaction ?? visits.visit ?? visits.link;
  const left = isOfMails !== undefined ? NOBODY : await leftOf(ctx, broadcast, named, entries);
  const isOver = broadcast.state === "done" || broadcast.state === "cancelled";
  const recipients: RecipientRow[] = [];
  for (const candidate of named) {
    const entry = entries.get(candidate.logId);
    if (!entry && (isOver || !candidate.isWanted || left?.has(candidate.id) === false)) continue;
    if (entry?.hasVisit === 0 || candidate.hasReacted === 0) continue;
    if (reaction === "complained" && entry?.status !== "sent") continue; // of another mail
    const own = entry ? outcomeOf(entry) : "waiting";
    if (outcome !== undefined && own !== outcome) continue;
    const { id: subscriberId, email, logId } = candidate;
    recipients.push({ subscriberId, email: entry?.toEmail ?? email, logId, outcome: own, entry });
    if (recipients.length === limit) return { recipients, last: candidate };
  }
  const isMore = candidates.length === examined;
  return { recipients, last: isMore ? candidates.at(-1) : undefined };
}

/** Those who wait have visited nothing, and have no mail to react to. */
const NOBODY: ReadonlySet<string> = new Set();

/**
 * Returns those without an entry who are in the audience, where a condition or a topic decides
 * that; undefined where each candidate tells.
 */
async function leftOf(
  { deps }: Ctx,
  broadcast: BroadcastRow,
  named: { id: string; logId: string }[],
  entries: Map<string, LoggedOutcome>,
): Promise<Set<string> | undefined> {
  const { where, topicId, fromId } = broadcast;
  if (where === null && topicId === null && fromId === "") return undefined;
  const ids = named.filter(({ logId }) => !entries.has(logId)).map(({ id }) => id);
  const members = await selectMembers(deps.db, broadcast, ids);
  return new Set(members.map(({ id }) => id));
}

const outcomeOf = (entry: LoggedOutcome): Outcome => (isUnknown(entry) ? "unknown" : entry.status);
