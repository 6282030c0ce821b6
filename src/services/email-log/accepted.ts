import { sql, type SQL } from "drizzle-orm";
import { idText, storedId, storedIdSql, storedStatus } from "./stored-form.ts";

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

/**
 * Returns the query of the subscribers who got a broadcast to those who joined since another one
 * began. Rows read: the later broadcasts of the project and, for each of those that it finds, the
 * accepted mails of the project since its start.
 */
export const acceptedOfJoined = (projectId: string, firstId: string): SQL =>
  sql`select ${idText(sql`l.subscriber_id`)} from broadcasts b
    cross join log_entries l indexed by log_entries_by_status
    where b.project_id = ${projectId} and b.kind = 'broadcast' and b.id > ${firstId}
      and b.plan ->> '$.resend.of' = ${firstId} and b.plan ->> '$.resend.to' = 'joined'
      and l.project_id = ${storedId(projectId)} and l.status = ${storedStatus("sent")}
      and l.sent_at >= b.created_at and l.broadcast_id = ${storedIdSql(sql`b.id`)}
      and l.subscriber_id is not null`;
