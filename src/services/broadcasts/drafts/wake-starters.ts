import type { Deps } from "../../../deps.ts";
import { MINUTE_MS } from "../../../lib/durations.ts";
import { enqueue } from "../enqueue.ts";
import type { BroadcastRow } from "../queries.ts";

/**
 * Schedules a message for the start of each scheduled draft due within a minute; the sweep finds
 * later ones in time.
 */
export async function wakeStarters(
  deps: Deps,
  scheduled: Pick<BroadcastRow, "id" | "planDueAt">[],
): Promise<void> {
  const now = deps.now();
  for (const { id, planDueAt } of scheduled) {
    const waitMs = planDueAt - now;
    if (waitMs > MINUTE_MS) continue;
    await enqueue(deps, [{ type: "broadcast_plan", broadcastId: id }], Math.max(0, waitMs));
  }
}
