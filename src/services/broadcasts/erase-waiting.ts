import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";

/**
 * Returns the statement that removes deleted subscribers, and what the server said about them, from
 * the lists of recipients awaiting another attempt. A paused broadcast may keep its lists for a
 * long time. The worker of a claimed chunk may write them back when it releases the chunk.
 */
export function eraseWaiting(db: Database, projectId: string, subscriberIds: string[]) {
  const gone = sql`json_each(${JSON.stringify(subscriberIds)})`;
  const others = (list: string) => sql`(select json_group_array(json(value))
    from json_each(${sql.raw(list)}) where value ->> 'id' not in (select value from ${gone}))`;
  return db.run(
    sql`update broadcast_chunks set again = ${others("again")}, deferred = ${others("deferred")}
      where broadcast_id in (select id from broadcasts indexed by broadcasts_by_state
          where state in ('queued', 'sending', 'paused') and project_id = ${projectId} and kind <> 'batch')
        and exists (select 1 from ${gone} who where instr(again, who.value) + instr(deferred, who.value) > 0)`,
  );
}
