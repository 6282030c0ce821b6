import type { Deps } from "../../deps.ts";
import { runBatch, runBatchAfter } from "../../db/client.ts";
import { decideAbTests } from "./ab-test/decide-ab-tests.ts";
import { pauseComplained, selectComplained } from "./complained-broadcasts.ts";
import { selectStalledProjects } from "./due-work.ts";
import { finishIfDone } from "./finish.ts";
import { logWaits, noteWaits } from "./turns/note-waits.ts";
import { wakeSenders } from "../projects/index.ts";

/** The maximum number of projects that one run wakes. */
const PER_RUN = 100;

/**
 * Wakes the senders of projects with work in hand, in case one has died, and of those whose message
 * was lost. Pauses broadcasts with too many complaints, and decides A/B tests. Runs every minute.
 */
export async function sweepBroadcasts(deps: Deps): Promise<void> {
  const now = deps.now();
  const [waits, complained] = await runBatch(deps.db, [
    noteWaits(deps.db, now), // the statements below select those whose wait is over
    selectComplained(deps.db, PER_RUN),
  ]);
  logWaits(waits);
  await pauseComplained(deps, complained);
  await decideAbTests(deps);
  const [stalled] = await runBatchAfter(deps.db, finishIfDone(deps), [
    selectStalledProjects(deps.db, now, PER_RUN),
  ]);
  await wakeSenders(
    deps,
    stalled.map(({ projectId }) => projectId),
  );
}
