import type { Deps } from "../../deps.ts";
import type { BroadcastMessage } from "../../queues/messages.ts";
import { enqueue } from "./enqueue.ts";
import { finishIfDone, selectUnplanned } from "./queries.ts";
import { takeOverdueChunks } from "./chunk-queries.ts";

/**
 * The times for which a due chunk may wait for its message. Many chunks wait behind those of the
 * same broadcast; one that waits while nobody works on its broadcast is more likely forgotten.
 */
const GRACE = { busyMs: 180_000, idleMs: 30_000 };

/** The chunks and plannings that one run wakes. */
const PER_RUN = 100;

/** Wakes the work that a lost message or a dead worker left behind. Runs every minute. */
export async function sweepBroadcasts(deps: Deps): Promise<void> {
  const now = deps.now();
  const unplanned = await selectUnplanned(deps.db, now, PER_RUN);
  const chunks = await takeOverdueChunks(deps.db, now, GRACE, PER_RUN);
  const messages: BroadcastMessage[] = [
    ...unplanned.map(({ id }) => ({ type: "broadcast_plan" as const, broadcastId: id })),
    ...chunks.map((chunk) => ({ type: "broadcast_chunk" as const, ...chunk })),
  ];
  await enqueue(deps, messages);
  await finishIfDone(deps.db, now);
}
