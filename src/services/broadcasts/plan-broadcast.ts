import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import type { BroadcastMessage } from "../../queues/messages.ts";
import { enqueue } from "./enqueue.ts";
import { finishIfDone } from "./finish-if-done.ts";
import { launchDraft } from "./drafts/launch-draft.ts";
import { lookAtSample } from "./look-at-sample.ts";
import { planLeaseEnd } from "./plan-lease.ts";
import { insertNextChunks, updatePlanned } from "./plan-queries.ts";
import { selectBroadcast } from "./queries.ts";
import { awaitLook } from "./sample.ts";

/** The subscribers of a chunk: at most some minutes of sending for one worker. */
const CHUNK_SIZE = 500;

/** The chunks planned in one step: one statement over at most 50,000 index entries. */
const CHUNKS_PER_STEP = 100;

/**
 * Launches a draft that is due. Plans the next stretch of a broadcast and enqueues its chunks and the next step. Any number of
 * simultaneous planners plan every chunk exactly once, even if some of them die. The sweep finds
 * work that was not enqueued.
 */
export async function planBroadcast(deps: Deps, broadcastId: string): Promise<void> {
  const { db } = deps;
  const [found] = await selectBroadcast(db, broadcastId);
  const broadcast = found?.state === "scheduled" ? await launchDraft(deps, found) : found;
  if (!broadcast || broadcast.state !== "sending") return;
  const now = deps.now();
  const { plannedId, cutoffId, looksAt } = broadcast;
  if (looksAt > 0 && plannedId !== "" && plannedId >= cutoffId)
    return lookAtSample(deps, broadcast);
  const step = { chunks: CHUNKS_PER_STEP, size: CHUNK_SIZE, now, start: Math.random() };
  const [inserted, moved] = await runBatch(db, [
    insertNextChunks(db, broadcast, step),
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
  const isSampled = looksAt > 0 && (plannedId !== "" || due.length < inserted.length);
  if (isLast && isSampled) await awaitLook(deps, broadcastId);
  if (isLast && inserted.length === 0) await runBatch(db, finishIfDone(deps, broadcastId));
}
