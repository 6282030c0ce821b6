import type { App } from "../../app.ts";
import { runBatch } from "../../db/client.ts";
import type { BroadcastMessage } from "../../messages.ts";
import { enqueue } from "./enqueue.ts";
import { insertNextRanges, updatePlanned } from "./plan-queries.ts";
import { finishIfDone, selectBroadcast } from "./queries.ts";

/** Subscribers in a range: some minutes of sending for one worker at most. */
const RANGE_SIZE = 500;

/** Ranges planned in one step: one statement over at most 50,000 index entries. */
const RANGES_PER_STEP = 100;

/** Returns when a planner that moves nothing counts as dead: half a lease, as a step is short. */
export function planLeaseEnd({ now, config }: App): number {
  return now() + config.leaseMs / 2;
}

/**
 * Plans the next stretch of a broadcast and puts its ranges, and the step after it, on the queue.
 * Any number of planners at once, and any of them dying anywhere, plan every range exactly once:
 * what is not put on the queue is found by the sweep.
 */
export async function planBroadcast(app: App, broadcastId: string): Promise<void> {
  const { db } = app;
  const [broadcast] = await selectBroadcast(db, broadcastId);
  if (!broadcast || broadcast.state !== "sending") return;
  const now = app.now();
  const step = { ranges: RANGES_PER_STEP, size: RANGE_SIZE, now };
  const [inserted, moved] = await runBatch(db, [
    insertNextRanges(db, broadcast, step),
    updatePlanned(db, broadcast, RANGES_PER_STEP * RANGE_SIZE, planLeaseEnd(app)),
  ]);
  const [progress] = moved;
  if (!progress) return;
  const messages: BroadcastMessage[] = inserted.map(({ afterId }) => ({
    type: "broadcast_range",
    broadcastId,
    afterId,
  }));
  const isLast = progress.plannedId >= broadcast.cutoffId;
  if (!isLast) messages.push({ type: "broadcast_plan", broadcastId });
  await enqueue(app, messages);
  if (isLast && inserted.length === 0) await finishIfDone(db, app.now(), broadcastId);
}
