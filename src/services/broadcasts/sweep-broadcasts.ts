import type { App } from "../../app.ts";
import type { BroadcastMessage } from "../../messages.ts";
import { enqueue } from "./enqueue.ts";
import { finishIfDone, selectUnplanned } from "./queries.ts";
import { takeOverdueRanges } from "./range-queries.ts";

/** Leases for which a range may wait although it is due; after them its queue message is lost. */
const GRACE_LEASES = 1.5;

/** Ranges and plannings woken in one run. */
const PER_RUN = 100;

/** Wakes what a lost message or a dead worker left undone; run every minute. */
export async function sweepBroadcasts(app: App): Promise<void> {
  const now = app.now();
  const unplanned = await selectUnplanned(app.db, now, PER_RUN);
  const ranges = await takeOverdueRanges(app.db, now, GRACE_LEASES * app.config.leaseMs, PER_RUN);
  const messages: BroadcastMessage[] = [
    ...unplanned.map(({ id }) => ({ type: "broadcast_plan" as const, broadcastId: id })),
    ...ranges.map((range) => ({ type: "broadcast_range" as const, ...range })),
  ];
  await enqueue(app, messages);
  await finishIfDone(app.db, now);
}
