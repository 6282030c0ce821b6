import { eq } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Database } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { broadcasts } from "../../db/schema/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { getBroadcast, type BroadcastProgress } from "./control-broadcast.ts";

const SHORTEST_PAUSE_MS = 50;
/** The next pause as a fraction of the time waited so far. */
const LATENESS = 0.011;

const IS_UNDER_WAY: ReadonlySet<string> = new Set(["queued", "sending"]);

/**
 * Waits until a broadcast is over or paused, and returns its counts. Calls `isWanted` before each
 * look and stops if it returns false, because nobody waits for the answer any more.
 */
export async function waitForBroadcast(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  isWanted: () => boolean,
): Promise<BroadcastProgress> {
  await waitUntilOver(ctx.deps, id, isWanted);
  return getBroadcast(ctx, project, id);
}

/** Waits until a broadcast or a batch is over or paused, as long as `isWanted` returns true. */
export async function waitUntilOver(
  { db }: Deps,
  id: string,
  isWanted: () => boolean,
): Promise<void> {
  for (const pauseMs of pausesBetweenLooks()) {
    if (!isWanted()) return;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const [row] = await selectState(db, id);
    if (!row || !IS_UNDER_WAY.has(row.state)) return;
  }
}

/**
 * Yields the pauses before the looks at a broadcast, in milliseconds. The wait ends at most 50 ms,
 * or 1.1 % of the broadcast's duration, late. An hour takes 710 looks. Twenty hours take fewer than
 * the 1,000 queries that D1 allows per invocation.
 */
export function* pausesBetweenLooks(): Generator<number, never> {
  for (let waitedMs = 0; ;) {
    const pauseMs = Math.max(SHORTEST_PAUSE_MS, waitedMs * LATENESS);
    yield pauseMs;
    waitedMs += pauseMs;
  }
}

/** Selects one row without the mail's bodies, which may be large. */
function selectState(db: Database, id: string) {
  return db.select({ state: broadcasts.state }).from(broadcasts).where(eq(broadcasts.id, id));
}
