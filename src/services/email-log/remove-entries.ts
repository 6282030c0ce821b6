import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { ENTRIES, type LogTable } from "./log-tables.ts";

/**
 * The largest number of rows that one step removes, so that no statement exceeds D1's time limit.
 */
export const ENTRIES_PER_STEP = 1_000;
export const CLICKS_PER_STEP = 5_000;

/**
 * Returns the statements of one step that removes the entries of a query of stored ids, with their
 * clicks. A mail with more clicks than one step removes stays until they are gone.
 */
export function removeEntries(db: Database, entries: SQL, log: LogTable = ENTRIES) {
  return [
    db.run(
      sql`delete from email_clicks where (log_id, id) in (
        select log_id, id from email_clicks
        where log_id in (select ${log.idText(sql`id`)} from (${entries})) limit ${CLICKS_PER_STEP})`,
    ),
    db.run(
      sql`delete from ${log.name} where id in (${entries})
        and not exists (select 1 from email_clicks where log_id = ${log.idText(sql`${log.name}.id`)})`,
    ),
  ] as const;
}
