import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound, refusal } from "../../errors.ts";
import { randomToken } from "../../lib/random-token.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { shareSubjectOf } from "../email-log/index.ts";
import { openSender } from "../projects/index.ts";
import { fixSpans } from "../segments/index.ts";
import { requireRoom, type StorageRow } from "../storage/index.ts";
import { broadcastEvent } from "./broadcast-event.ts";
import { wakeSenders } from "../projects/index.ts";
import { leaveOutMailed } from "./leave-out-mailed.ts";
import { selectProjectBroadcast, type BroadcastRow } from "./queries.ts";
import { logOwnWait } from "./turns/note-waits.ts";
import {
  claimRetry,
  countRetry,
  insertRetry,
  insertRetryChunks,
  insertRetryVariants,
  selectInHand,
  selectRetriedBy,
  selectTopicless,
} from "./retry-queries.ts";
import { stateConflict } from "./state-conflict.ts";

/** The maximum number of failed recipients that one statement can collect. */
const FAILED_MAX = 50_000;

/**
 * Starts a broadcast with the same content to the recipients whose mail of a finished broadcast
 * definitely failed. With `includeUnknown`, it also goes to those whose outcome is unknown. After
 * an A/B test, all recipients get the winner or, without one, the variant that they were assigned.
 * A broadcast is retried once. Its retry can be retried in turn: if it was cancelled, this also
 * goes to the recipients that it skipped (decision D17). Returns the id of the new broadcast.
 * Throws not_found (the broadcast or its topic), 409 with the reason, 400 (settings), and 503 when
 * the storage is full.
 */
export async function retryBroadcast(
  ctx: Ctx,
  project: ProjectRow,
  broadcast: BroadcastRow | undefined,
  includeUnknown: boolean,
  storage: StorageRow | undefined,
): Promise<string> {
  const { deps } = ctx;
  const { db } = deps;
  if (!broadcast) throw notFound("broadcast");
  const { id: broadcastId } = broadcast;
  requireRetryable(broadcast);
  const [first, ...retries] = await retryChainOf(ctx, broadcast);
  if (first.failed > FAILED_MAX) throw refusal("too_many_failed", { max: FAILED_MAX });
  requireRoom(deps, storage);
  await openSender(deps, project);
  const id = deps.newId();
  const now = deps.now();
  const failed = { projectId: project.id, first, retries, to: now, includeUnknown };
  const fixed =
    broadcast.audienceWhere === null ? null : fixSpans(broadcast.audienceWhere, broadcast.whereAt);
  const where = leaveOutMailed(project, fixed);
  const retry = {
    id,
    broadcastId,
    failed,
    logKey: randomToken(),
    now,
    planDueAt: deps.now(),
    where,
  };
  const fact = {
    scopeId: project.id,
    action: "broadcast.send",
    targetType: "broadcast",
    targetId: id,
    metadata: { retry_of: broadcastId },
  } as const;
  const isStarted = sql`exists (select 1 from broadcasts where id = ${id})`;
  const [claimed, , , , , , , , [started], inHand, topicless] = await runBatch(db, [
    claimRetry(db, retry),
    insertRetry(db, retry),
    insertRetryChunks(db, retry),
    insertRetryVariants(db, retry),
    countRetry(db, id),
    shareSubjectOf(db, project.id, { from: broadcastId, to: id }, isStarted),
    auditStatement(ctx, fact, isStarted),
    broadcastEvent(deps, "broadcast.started", sql`id = ${id} and state = 'sending'`),
    selectProjectBroadcast(db, project.id, id),
    selectInHand(db, broadcastId),
    selectTopicless(db, broadcastId),
  ]);
  if (topicless.length > 0) throw notFound("topic");
  if (inHand.length > 0) throw refusal("mails_in_hand", {});
  if (claimed.length === 0) throw refusal("nothing_to_retry", {});
  if (started) logOwnWait(started);
  await wakeSenders(deps, [project.id]);
  return id;
}

/**
 * Returns the broadcasts whose failures a retry mails again, oldest first: the broadcast itself
 * and, if it is a cancelled retry, those that it retried. They have ended, so they no longer
 * change.
 */
async function retryChainOf(
  { deps: { db } }: Ctx,
  broadcast: BroadcastRow,
): Promise<[BroadcastRow, ...BroadcastRow[]]> {
  const retries: BroadcastRow[] = [];
  let first = broadcast;
  while (first.state === "cancelled") {
    const [[before]] = await runBatch(db, [selectRetriedBy(db, first.projectId, first.id)]);
    if (!before) break;
    retries.unshift(first);
    first = before;
  }
  return [first, ...retries];
}

function requireRetryable({ state, retriedBy }: BroadcastRow): void {
  if (state !== "done" && state !== "cancelled") throw stateConflict(state);
  if (retriedBy !== null) throw refusal("broadcast_retried", { retry: retriedBy });
}
