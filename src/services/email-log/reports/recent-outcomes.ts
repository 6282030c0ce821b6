import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { LOG_STATUSES } from "../../../db/schema/index.ts";
import { storedId, storedStatus } from "../stored-form.ts";

/** The mails of a broadcast logged after the earliest of its recent mails. */
export interface RecentOutcomes {
  count: number;
  /** The time of that earliest mail, in milliseconds. Null without one. */
  since: number | null;
}

/**
 * Selects the recent outcomes of a broadcast if `when` is true: one row. It reads the newest `most`
 * mails of the project since `from`.
 */
export function selectRecentOutcomes(
  db: Database,
  { projectId, broadcastId, from }: { projectId: string; broadcastId: string; from: number },
  most: number,
  when: SQL,
) {
  const branches = LOG_STATUSES.map(
    (status) => sql`select * from (
      select sent_at, broadcast_id from log_entries indexed by log_entries_by_status
      where project_id = ${storedId(projectId)} and status = ${storedStatus(status)}
        and sent_at >= ${from} and ${when}
      order by sent_at desc limit ${most})`,
  );
  return db.all<RecentOutcomes>(
    sql`select count(*) filter (where sent_at > since) as count, min(since) as since from (
      select sent_at, min(sent_at) over () as since from (
        select * from (${sql.join(branches, sql` union all `)}) order by sent_at desc limit ${most})
      where broadcast_id = ${storedId(broadcastId)})`,
  );
}
