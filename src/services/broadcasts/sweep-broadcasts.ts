import type { App } from "../../app.ts";
import type { BroadcastMessage } from "../../messages.ts";
import { enqueue } from "./enqueue.ts";
import { finishIfDone, selectUnplanned } from "./queries.ts";
import { takeOverdueRanges } from "./range-queries.ts";

/** The leases that a due range may wait. After them its queue message counts as lost. */
const GRACE_LEASES = 1.5;

/** The ranges and plannings that one run wakes. */
const PER_RUN = 100;

/** Wakes the work that a lost message or a dead worker left behind. Runs every minute. */
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
