import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { isPlannedTo, namesRecipients, stretch, type PlanStep } from "../plan-queries.ts";
import type { BroadcastRow } from "../queries.ts";
import { variantKey, variantSql } from "./slices.ts";

/**
 * Plans the next chunks of an A/B test in one statement. Each chunk has one variant. It either
 * holds the subscribers of its range in the slice of that variant, or lists them. Does nothing if
 * another planner was faster. `updatePlanned` follows in the same batch.
 */
export function insertAbTestChunks(
  db: Database,
  broadcast: BroadcastRow,
  { size, listSize, now }: PlanStep,
) {
  const { id, plannedId } = broadcast;
  const listed = namesRecipients(broadcast) ? listSize : size;
  const [until, cursor, again] = namesRecipients(broadcast)
    ? [sql`''`, sql`''`, sql`json_group_array(json_object('id', id, 'error', ''))`]
    : [sql`max(id)`, sql`min(previous)`, sql`'[]'`];
  return db.all<{ afterId: string; dueAt: number }>(
    sql`insert into broadcast_chunks (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token, in_flight, again, deferred, variant)
      select ${id}, ${variantKey(sql`variant`, sql`min(previous)`)}, ${until}, ${cursor}, 'pending', ${now}, '', '[]', ${again}, '[]', variant
      from (
        select id, variant, lag(id, 1, ${plannedId}) over own as previous,
          cast((row_number() over own - 1) / ${listed} as integer) as n
        from (select subscribers.id, ${variantSql(broadcast)} as variant from subscribers
          where subscribers.id in (${stretch(broadcast)} limit ${size}))
        where variant is not null
        window own as (partition by variant order by id))
      where ${isPlannedTo(broadcast)}
      group by variant, n
      returning after_id as "afterId", due_at as "dueAt"`,
  );
}
