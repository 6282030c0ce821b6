import { sql, type SQL } from "drizzle-orm";
import { bucketAt } from "../rollups/grains.ts";

/**
 * Returns an SQL expression for the number of a project's mails that servers have accepted since
 * the start of the UTC day of a given time. It reads one row per day.
 */
export function acceptedSince(projectId: string, since: number): SQL {
  return sql`(select coalesce(sum(sent + bounced), 0) from rollups
    where project_id = ${projectId} and kind = 'log' and grain = 'day' and bucket_at >= ${bucketAt("day", since)})`;
}
