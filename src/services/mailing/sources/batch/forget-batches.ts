import type { Deps } from "../../../../deps.ts";
import { runBatch } from "../../../../db/client.ts";
import { DAY_MS } from "../../../../lib/durations.ts";
import { deleteBatchesBefore } from "./batch-queries.ts";

/** The time for which a batch can be read after its start. */
const BATCH_LIFE_MS = 7 * DAY_MS;

/** The limits of one night's cleanup, in steps of a size that D1 handles easily. */
const STEPS = 40;
const BATCHES_PER_STEP = 250;

/** Deletes finished batches, with their failures, a week after their start. */
export async function forgetBatches(deps: Deps): Promise<void> {
  const before = deps.now() - BATCH_LIFE_MS;
  for (let step = 0; step < STEPS; step++) {
    const statements = deleteBatchesBefore(deps.db, before, BATCHES_PER_STEP);
    const [, removed] = await runBatch(deps.db, statements);
    if (removed.meta.changes < BATCHES_PER_STEP) return;
  }
}
