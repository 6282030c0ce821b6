import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import { removeProjectRollups } from "./rollups/remove-rollups.ts";

/**
 * Returns the statements of one step that removes the log of a deleted project: at most `limit`
 * entries with their clicks, and at most `limit` rollups.
 */
export function purgeLog(db: Database, projectId: string, limit: number): Statement[] {
  const some = sql`select id from email_logs where project_id = ${projectId} limit ${limit}`;
  return [
    db.run(sql`delete from email_clicks where log_id in (${some})`),
    db.run(sql`delete from email_logs where id in (${some})`),
    removeProjectRollups(db, projectId, limit),
  ];
}

/** Returns a condition for the batch of `purgeLog`: no row of the log is left. */
export function isLogPurged(projectId: string): SQL {
  return sql`(not exists (select 1 from email_logs where project_id = ${projectId})
    and not exists (select 1 from rollups where project_id = ${projectId}))`;
}
