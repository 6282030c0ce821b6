import { sql, type SQL } from "drizzle-orm";
import { idText, storedId, storedStatus } from "./stored-form.ts";

/**
 * Returns the query of the subscribers whose mail of a broadcast was accepted. Rows read: the
 * accepted mails of the project since the start of the broadcast.
 */
export function accepted(projectId: string, broadcastId: string): SQL {
  const from = sql`(select created_at from broadcasts where id = ${broadcastId} and project_id = ${projectId})`;
  return sql`select ${idText(sql`l.subscriber_id`)} from log_entries l indexed by log_entries_by_status
    where l.project_id = ${storedId(projectId)} and l.status = ${storedStatus("sent")} and l.sent_at >= ${from}
      and l.broadcast_id = ${storedId(broadcastId)} and l.subscriber_id is not null`;
}

/** Returns the query of those among them whose mail has neither an open nor a click. */
export const notOpened = (projectId: string, broadcastId: string): SQL =>
  sql`${accepted(projectId, broadcastId)} and l.opened_at is null and l.clicked_at is null`;
