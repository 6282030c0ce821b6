import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { ZONE_CHARACTERS_MAX } from "../../../lib/time-zones.ts";
import { stretch, type PlanStep } from "../plan-queries.ts";
import type { BroadcastRow } from "../queries.ts";
import { dueTimes, type DueTimes } from "./due-times.ts";
import { ZONE_MARK } from "./zone-chunks.ts";

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
 * Returns the members of a broadcast sent by time zone: one part for all who get it at the same
 * time. Subscribers who change their zone later get it at the time of the old zone.
 */
export const membersByZone = (
  broadcast: BroadcastRow,
  { own, others }: DueTimes,
  { size }: PlanStep,
): SQL =>
  sql`select id, ${ZONE_MARK} || due || '/' as mark, null as variant, 1 as is_listed, due from (
    select s.id, cast(coalesce(zones.due, ${own}) as integer) as due
    from subscribers s left join (select key as zone, value as due from json_each(${JSON.stringify(others)})) zones
      on zones.zone = s.metadata ->> '$.timezone'
    where s.id in (${stretch(broadcast)} limit ${size}))`;
