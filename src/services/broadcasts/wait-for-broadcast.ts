import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../access/index.ts";
import { getBroadcast, type BroadcastProgress } from "./control-broadcast.ts";
import { selectBroadcast } from "./queries.ts";

/** A short broadcast is answered soon, and a long one is asked after in few D1 calls. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 15_000;
const GROWTH = 1.25;

const IS_UNDER_WAY: ReadonlySet<string> = new Set(["queued", "sending"]);

/**
 * Waits until a broadcast is over, or stands still because it was paused, and returns its counts.
 * `isWanted` is asked before each look: false when nobody waits for the answer any more.
 */
export async function waitForBroadcast(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  isWanted: () => boolean,
): Promise<BroadcastProgress> {
  for (
    let waitMs = FIRST_WAIT_MS;
    isWanted();
    waitMs = Math.min(waitMs * GROWTH, LONGEST_WAIT_MS)
  ) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const [row] = await selectBroadcast(ctx.app.db, id);
    if (!row || !IS_UNDER_WAY.has(row.state)) break;
  }
  return getBroadcast(ctx, project, id);
}
