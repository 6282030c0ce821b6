import { sql, type SQL } from "drizzle-orm";
import { bucketAt } from "../rollups/grains.ts";

/**
 * Returns the number of mails from a project that servers have accepted since a time, counted from
 * the start of its day (UTC). The SQL expression reads one row for each day.
 */
export function acceptedSince(projectId: string, since: number): SQL {
  return sql`(select coalesce(sum(sent + bounced), 0) from rollups
    where project_id = ${projectId} and kind = 'log' and grain = 'day' and bucket_at >= ${bucketAt("day", since)})`;
}
