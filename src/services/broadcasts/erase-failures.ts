import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";

/**
 * Selects the last of the next `limit` batches of a project after an id, if there are that many.
 */
export function selectBatchEnd(db: Database, projectId: string, afterId: string, limit: number) {
  return db.all<{ id: string }>(
    sql`select id from broadcasts where project_id = ${projectId} and kind = 'batch' and id > ${afterId}
      order by id limit 1 offset ${limit - 1}`,
  );
}

/** Removes an address from the failures of the next `limit` batches of a project after an id. */
export function eraseFailures(
  db: Database,
  { projectId, email, afterId }: { projectId: string; email: string; afterId: string },
  limit: number,
) {
  const batches = sql`select id from broadcasts
    where project_id = ${projectId} and kind = 'batch' and id > ${afterId} order by id limit ${limit}`;
  const others = sql`select json_group_array(iif(value ->> 'to' = ${email},
      json_set(value, '$.to', '', '$.error', ''), json(value)))
    from json_each(failures)`;
  return db.run(
    sql`update batch_failures set failures = (${others})
      where batch_id in (${batches}) and instr(failures, ${JSON.stringify(email)}) > 0`,
  );
}
