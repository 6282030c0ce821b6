import type { App } from "../../app.ts";
import type { BroadcastMessage } from "../../messages.ts";
import { enqueue } from "./enqueue.ts";
import { finishIfDone, selectUnplanned } from "./queries.ts";
import { takeOverdueRanges } from "./range-queries.ts";

/** A range that waits for this long although it is due has lost its queue message. */
const MESSAGE_GRACE_MS = 3 * 60_000;

/** Ranges and plannings woken in one run. */
const PER_RUN = 100;

/** Wakes what a lost message or a dead worker left undone; run every minute. */
export async function sweepBroadcasts(app: App): Promise<void> {
  const now = app.now();
  const unplanned = await selectUnplanned(app.db, now, PER_RUN);
  const ranges = await takeOverdueRanges(app.db, now, MESSAGE_GRACE_MS, PER_RUN);
  const messages: BroadcastMessage[] = [
    ...unplanned.map(({ id }) => ({ type: "broadcast_plan" as const, broadcastId: id })),
    ...ranges.map((range) => ({ type: "broadcast_range" as const, ...range })),
  ];
  await enqueue(app, messages);
  await finishIfDone(app.db, now);
}
