import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { broadcasts } from "../../db/schema/index.ts";
import { audience, type BroadcastRow } from "./queries.ts";

/**
 * Returns SQL for the next stretch of a broadcast's audience: the ids above `plannedId`, in order.
 */
function stretch(broadcast: BroadcastRow): SQL {
  const { plannedId, cutoffId } = broadcast;
  return sql`select id from subscribers
    where ${audience(broadcast)} and id > ${plannedId} and id <= ${cutoffId} order by id`;
}

/**
 * Plans the next chunks of a broadcast in one statement: up to `chunks` of `size` subscribers each.
 * Does nothing if another planner was faster. `updatePlanned` follows in the same batch. Rows read:
 * the stretch.
 */
export function insertNextChunks(
  db: Database,
  broadcast: BroadcastRow,
  { chunks, size, now }: { chunks: number; size: number; now: number },
) {
  const { id, plannedId } = broadcast;
  return db.all<{ afterId: string }>(
    sql`insert into broadcast_ranges (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token, in_flight, again, deferred)
      select ${id}, after_id, until_id, after_id, 'pending', ${now}, '', '[]', '[]', '[]' from (
        select coalesce(lag(until_id) over (order by n), ${plannedId}) as after_id, until_id from (
          select n, max(id) as until_id from (
            select id, cast((row_number() over (order by id) - 1) / ${size} as integer) as n
            from (${stretch(broadcast)} limit ${chunks * size}))
          group by n))
      where exists (select 1 from broadcasts where id = ${id} and planned_id = ${plannedId})
      returning after_id as "afterId"`,
  );
}

/** Records the progress of planning. Returns no row if another planner was faster. */
export function updatePlanned(
  db: Database,
  broadcast: BroadcastRow,
  subscribers: number,
  planDueAt: number,
) {
  const last = sql`(${stretch(broadcast)} limit 1 offset ${subscribers - 1})`;
  return db
    .update(broadcasts)
    .set({ plannedId: sql`coalesce(${last}, ${broadcast.cutoffId})`, planDueAt })
    .where(and(eq(broadcasts.id, broadcast.id), eq(broadcasts.plannedId, broadcast.plannedId)))
    .returning({ plannedId: broadcasts.plannedId });
}
