import { sql, type SQL } from "drizzle-orm";
import { idText, storedId, storedStatus } from "./stored-form.ts";

/**
 * Returns the query of the subscribers whose mail of a broadcast was accepted and has neither an
 * open nor a click. Rows read: the accepted mails of the project since the start of the broadcast.
 */
export function notOpened(projectId: string, broadcastId: string): SQL {
  const from = sql`(select created_at from broadcasts where id = ${broadcastId} and project_id = ${projectId})`;
  return sql`select ${idText(sql`l.subscriber_id`)} from log_entries l indexed by log_entries_by_status
    where l.project_id = ${storedId(projectId)} and l.status = ${storedStatus("sent")} and l.sent_at >= ${from}
      and l.broadcast_id = ${storedId(broadcastId)} and l.opened_at is null and l.clicked_at is null
      and l.subscriber_id is not null`;
}
