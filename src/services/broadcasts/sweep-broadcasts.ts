import type { Deps } from "../../deps.ts";
import type { BroadcastMessage } from "../../queues/messages.ts";
import { runBatch } from "../../db/client.ts";
import { pauseComplained, selectComplained } from "./complained-broadcasts.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { selectDue } from "./drafts/draft-queries.ts";
import { wakeStarters } from "./drafts/wake-starters.ts";
import { enqueue, wakeChunk } from "./enqueue.ts";
import { awaitCanary } from "./canary.ts";
import { decideAbTests } from "./ab-test/decide-ab-tests.ts";
import { selectZonesDue } from "./time-zones/zone-chunks.ts";
import { finishIfDone } from "./finish-if-done.ts";
import { selectUnplanned } from "./queries.ts";
import { takeOverdueChunks } from "./chunk-queries.ts";
import { logWaits, noteWaits } from "./turns/note-waits.ts";

/**
 * How long a due chunk may wait for its message. Many chunks wait behind others of the same
 * broadcast. If no chunk of the broadcast is in progress, the message has more likely been lost.
 */
const GRACE = { busyMs: 180_000, idleMs: 30_000 };

/** The maximum number of chunks and plannings that one run wakes. */
const PER_RUN = 100;

/**
 * Wakes the work that a lost message or a crashed worker left behind, and broadcasts that start
 * before the next run. Pauses broadcasts with too many complaints. Runs every minute.
 */
export async function sweepBroadcasts(deps: Deps): Promise<void> {
  const now = deps.now();
  const [waits, complained, unplanned, scheduled, zones] = await runBatch(deps.db, [
    noteWaits(deps.db, now), // the statements below select those whose wait is over
    selectComplained(deps.db, PER_RUN),
    selectUnplanned(deps.db, now, PER_RUN),
    selectDue(deps.db, now + MINUTE_MS, PER_RUN),
    selectZonesDue(deps.db, now, MINUTE_MS, PER_RUN),
  ]);
  logWaits(waits);
  await pauseComplained(deps, complained);
  const chunks = await takeOverdueChunks(deps.db, now, GRACE, PER_RUN);
  const messages: BroadcastMessage[] = [
    ...unplanned.map(({ id }) => ({ type: "broadcast_plan" as const, broadcastId: id })),
    ...chunks.map((chunk) => ({
      type: "broadcast_chunk" as const,
      ...chunk,
      isGuard: chunk.isGuard === 1,
    })),
  ];
  await enqueue(deps, messages);
  await wakeStarters(deps, scheduled);
  for (const { dueAt, ...chunk } of zones) await wakeChunk(deps, chunk, dueAt - now);
  await awaitCanary(deps);
  await decideAbTests(deps);
  await runBatch(deps.db, finishIfDone(deps));
}
