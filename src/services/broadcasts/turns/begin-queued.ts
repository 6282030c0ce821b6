import { and, eq, sql } from "drizzle-orm";
import { runBatch } from "../../../db/client.ts";
import { broadcasts } from "../../../db/schema/index.ts";
import type { Deps } from "../../../deps.ts";
import { broadcastEvent, type BroadcastChange } from "../broadcast-event.ts";
import { plannedSize } from "../plan-queries.ts";
import type { BroadcastRow } from "../queries.ts";
import { blockerOf } from "./turn-order.ts";

/**
 * Lets a queued broadcast send if its turn has come. One write decides, so exactly one succeeds of
 * any number of workers and of broadcasts of the project. Returns the broadcast to that worker.
 * Returns undefined while the broadcast has to wait; the sweep then asks again.
 */
export async function beginQueued(
  deps: Deps,
  row: BroadcastRow,
): Promise<BroadcastRow | undefined> {
  const { db } = deps;
  const now = deps.now();
  const { id } = row;
  const mayBegin = sql`state = 'queued' and kind = 'broadcast' and ${blockerOf(row)} is null`;
  const state = "sending" as const;
  const planDueAt = deps.now();
  const change = { ...countedAgain(row, now), state, waitingFor: null, planDueAt };
  const isFirst = sql`id = ${id} and turn_at = 0 and ${mayBegin}`;
  const [, [begun]] = await runBatch(db, [
    broadcastEvent(deps, "broadcast.started", isFirst, { state }),
    db
      .update(broadcasts)
      .set(change)
      .where(and(eq(broadcasts.id, id), mayBegin))
      .returning(),
  ]);
  return begun;
}

/**
 * Returns the count of a broadcast that begins after a wait: the broadcast before it has mailed
 * people since this one was counted at its start. Returns no change for one that had begun before.
 * A retry keeps its recipients, and follows the rule on frequency from now on.
 */
export function countedAgain(row: BroadcastRow, whereAt: number): BroadcastChange {
  if (row.turnAt !== 0) return {};
  return row.plannedId === "" ? { whereAt, total: plannedSize({ ...row, whereAt }) } : { whereAt };
}
