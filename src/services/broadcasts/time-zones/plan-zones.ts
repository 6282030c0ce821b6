import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { ZONE_CHARACTERS_MAX } from "../../../lib/time-zones.ts";
import { isPlannedTo, stretch, type PlanStep } from "../plan-queries.ts";
import type { BroadcastRow } from "../queries.ts";
import { dueTimes, type DueTimes } from "./due-times.ts";
import { zoneKey } from "./zone-chunks.ts";

/** The largest number of zones in one stretch. There are about 600 names. */
const ZONES_MAX = 1_000;

/** Returns when each zone of the next stretch of an audience gets the broadcast. */
export async function readDueTimes(
  db: Database,
  broadcast: BroadcastRow,
  { size }: PlanStep,
): Promise<DueTimes> {
  const found = await db.all<{ zone: string }>(
    sql`select zone from (
        select metadata ->> '$.timezone' as zone from subscribers
        where id in (${stretch(broadcast)} limit ${size}))
      where typeof(zone) = 'text' and length(zone) <= ${ZONE_CHARACTERS_MAX}
      group by zone order by count(*) desc limit ${ZONES_MAX}`,
  );
  return dueTimes(
    broadcast,
    found.map(({ zone }) => zone),
  );
}

/**
 * Plans the next chunks of a broadcast sent by time zone, in one statement. Each chunk holds up to
 * `listSize` recipients who get the broadcast at the same time. Does nothing if another planner was
 * faster. `updatePlanned` follows in the same batch. Subscribers who change their zone later get
 * the broadcast at the time of the old zone.
 */
export function insertZoneChunks(
  db: Database,
  broadcast: BroadcastRow,
  { own, others }: DueTimes,
  { size, listSize, now }: PlanStep,
) {
  const { id, plannedId } = broadcast;
  return db.all<{ afterId: string; dueAt: number }>(
    sql`insert into broadcast_chunks (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token, in_flight, again, deferred)
      with zones as materialized (select key as zone, value as due from json_each(${JSON.stringify(others)}))
      select ${id}, ${zoneKey(plannedId, sql`due`, sql`n`)}, '', '', 'pending', cast(max(${now}, due) as integer), '', '[]',
        json_group_array(json_object('id', id, 'error', '')), '[]'
      from (
        select id, due, cast((row_number() over (partition by due order by id) - 1) / ${listSize} as integer) as n
        from (
          select s.id, cast(coalesce(zones.due, ${own}) as integer) as due
          from subscribers s left join zones on zones.zone = s.metadata ->> '$.timezone'
          where s.id in (${stretch(broadcast)} limit ${size})))
      where ${isPlannedTo(broadcast)}
      group by due, n
      returning after_id as "afterId", due_at as "dueAt"`,
  );
}
