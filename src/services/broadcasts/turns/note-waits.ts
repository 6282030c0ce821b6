import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import type { Deps } from "../../../deps.ts";
import { logLine } from "../../../lib/log-line.ts";
import type { BroadcastRow } from "../queries.ts";
import { blockerOf } from "./turn-order.ts";

/** The number of broadcasts whose wait one run of the sweep records. */
const PER_RUN = 100;

/** A broadcast whose wait began, changed or ended. */
type Noted = Pick<BroadcastRow, "id" | "projectId"> & { waitsFor: string | null };

/**
 * Records which broadcast each broadcast that could begin has to wait for: for all of them, or for
 * one. Returns those whose wait began, changed or ended.
 */
export function noteWaits(db: Database, now: number, id?: string) {
  const own = { id: sql`broadcasts.id`, projectId: sql`broadcasts.project_id` };
  const blocker = blockerOf(own);
  const ofOne = id === undefined ? sql`` : sql` and id = ${id}`;
  return db.all<Noted>(
    sql`update broadcasts set waiting_for = ${blocker}
      where id in (select id from broadcasts
        where (state = 'queued' or (state = 'scheduled' and plan_due_at <= ${now}))
          and waiting_for is not ${blocker}${ofOne}
        limit ${PER_RUN})
      returning id, project_id as "projectId", waiting_for ->> '$.broadcastId' as "waitsFor"`,
  );
}

/** Logs each wait that began, once for each broadcast that causes it. */
export function logWaits(noted: Noted[]): void {
  for (const { id: broadcastId, projectId, waitsFor } of noted)
    if (waitsFor !== null) logLine("info", "broadcast_waits", { broadcastId, projectId, waitsFor });
}

/** Logs the wait of a broadcast that a start, a retry or a resumption queued. */
export function logOwnWait({ id, projectId, state, waitingFor }: Waiting): void {
  if (state === "queued") logWaits([{ id, projectId, waitsFor: waitingFor?.broadcastId ?? null }]);
}

type Waiting = Pick<BroadcastRow, "id" | "projectId" | "state" | "waitingFor">;

/** Records and logs the wait of a draft that is due but may not begin. */
export async function noteOwnWait({ db, now }: Deps, id: string): Promise<void> {
  logWaits(await noteWaits(db, now(), id));
}
