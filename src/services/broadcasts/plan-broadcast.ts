import type { Deps } from "../../deps.ts";
import { runBatch, type Database } from "../../db/client.ts";
import type { BroadcastMessage } from "../../queues/messages.ts";
import { enqueue } from "./enqueue.ts";
import { finishIfDone } from "./finish-if-done.ts";
import { launchDraft } from "./drafts/launch-draft.ts";
import { checkCanary } from "./check-canary.ts";
import { pauseByItself } from "./pause-by-itself.ts";
import { planLeaseEnd } from "./plan-lease.ts";
import { insertNextChunks, namesRecipients, updatePlanned, type PlanStep } from "./plan-queries.ts";
import { audienceFault } from "./audience-fault.ts";
import { selectBroadcast, type BroadcastRow } from "./queries.ts";
import { awaitCanary } from "./canary.ts";
import { insertAbTestChunks } from "./ab-test/plan-ab-test.ts";
import { isTesting } from "./ab-test/slices.ts";
import { beginQueued } from "./turns/begin-queued.ts";
import { goesByZones, type DueTimes } from "./time-zones/due-times.ts";
import { insertZoneChunks, readDueTimes } from "./time-zones/plan-zones.ts";

/** The number of subscribers per chunk. One worker handles them within a few minutes. */
const CHUNK_SIZE = 500;

/** The number of chunks planned in one step: one statement over at most 50,000 index entries. */
const CHUNKS_PER_STEP = 100;

/**
 * Launches a draft that is due, or begins a queued broadcast. Plans the next stretch of a
 * broadcast, and enqueues its chunks and the next step. Any number of concurrent planners plan
 * every chunk exactly once, even if some of them crash. The sweep finds work that was not enqueued.
 */
export async function planBroadcast(deps: Deps, broadcastId: string): Promise<void> {
  const { db } = deps;
  const [found] = await selectBroadcast(db, broadcastId);
  const broadcast = found && (await begun(deps, found));
  if (!broadcast || broadcast.state !== "sending") return;
  const fault = audienceFault(broadcast);
  if (fault !== undefined) return pauseByItself(deps, broadcast, fault);
  const now = deps.now();
  const { plannedId, cutoffId, canaryDueAt } = broadcast;
  if (canaryDueAt > 0 && plannedId !== "" && plannedId >= cutoffId)
    return checkCanary(deps, broadcast);
  const step = { chunks: CHUNKS_PER_STEP, size: CHUNK_SIZE, now };
  const zoned = goesByZones(broadcast) ? await readDueTimes(db, broadcast, step) : undefined;
  const named = namesRecipients(broadcast) ? { own: now, others: {} } : undefined;
  const times = zoned ?? named;
  const [inserted, moved] = await runBatch(db, [
    insertChunks(db, broadcast, step, times),
    updatePlanned(db, broadcast, CHUNKS_PER_STEP * CHUNK_SIZE, planLeaseEnd(deps)),
  ]);
  const [progress] = moved;
  if (!progress) return;
  const due = inserted.filter(({ dueAt }) => dueAt <= now);
  const messages: BroadcastMessage[] = due.map(({ afterId }) => ({
    type: "broadcast_chunk",
    broadcastId,
    afterId,
  }));
  const isLast = progress.plannedId >= cutoffId;
  if (!isLast) messages.push({ type: "broadcast_plan", broadcastId });
  await enqueue(deps, messages);
  const hasCanaryChunk = canaryDueAt > 0 && (plannedId !== "" || due.length < inserted.length);
  if (isLast && hasCanaryChunk) await awaitCanary(deps, broadcastId);
  if (isLast && inserted.length === 0) await runBatch(db, finishIfDone(deps, broadcastId));
}

/** Returns a broadcast that has begun or begins now; undefined if it may not begin yet. */
async function begun(deps: Deps, row: BroadcastRow): Promise<BroadcastRow | undefined> {
  if (row.state === "scheduled") return launchDraft(deps, row);
  return row.state === "queued" ? beginQueued(deps, row) : row;
}

/** Returns the statement that inserts the next chunks of a broadcast, by its kind. */
function insertChunks(
  db: Database,
  broadcast: BroadcastRow,
  step: PlanStep,
  times: DueTimes | undefined,
) {
  if (isTesting(broadcast)) return insertAbTestChunks(db, broadcast, step);
  if (times) return insertZoneChunks(db, broadcast, times, step);
  return insertNextChunks(db, broadcast, { ...step, start: Math.random() });
}
