import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { idText } from "./stored-form.ts";

/**
 * The maximum number of rows that one step removes, so that no statement exceeds D1's time limit.
 */
export const ENTRIES_PER_STEP = 1_000;
export const CLICKS_PER_STEP = 5_000;

/**
 * Returns the statements of one step that removes the entries of a query of stored ids, with their
 * clicks. A mail with more clicks than one step removes stays until they are removed.
 */
export function removeEntries(db: Database, entries: SQL) {
  return [
    db.run(
      sql`delete from email_clicks where (log_id, id) in (
        select log_id, id from email_clicks
        where log_id in (select ${idText(sql`id`)} from (${entries})) limit ${CLICKS_PER_STEP})`,
    ),
    db.run(
      sql`delete from log_entries where id in (${entries})
        and not exists (select 1 from email_clicks where log_id = ${idText(sql`log_entries.id`)})`,
    ),
  ] as const;
}
