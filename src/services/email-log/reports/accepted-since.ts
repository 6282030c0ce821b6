import { sql, type SQL } from "drizzle-orm";
import { bucketAt } from "../rollups/grains.ts";

/**
 * Returns the number of mails that servers accepted from a project since the start of the day (UTC)
 * of a time: an SQL expression that reads one row a day.
 */
export function acceptedSince(projectId: string, since: number): SQL {
  return sql`(select coalesce(sum(sent + bounced), 0) from rollups
    where project_id = ${projectId} and kind = 'log' and grain = 'day' and bucket_at >= ${bucketAt("day", since)})`;
}
