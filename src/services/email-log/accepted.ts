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

/** Returns the query of the same subscribers whose mail was neither opened nor clicked. */
export const notOpened = (projectId: string, broadcastId: string): SQL =>
  sql`${accepted(projectId, broadcastId)} and l.opened_at is null and l.clicked_at is null`;

/**
 * Returns the query of the subscribers who received any broadcast to those who joined since another
 * one began. Rows read: the later broadcasts of the project and, once for all of those that it
 * finds, the accepted mails of the project since the start of the first. `more` builds a further
 * query of subscribers from a query of the ids of these broadcasts, except `withoutId`.
 */
export const acceptedOfJoined = (
  projectId: string,
  firstId: string,
  withoutId: string,
  more: (ids: SQL) => SQL,
): SQL =>
  sql`with joined as materialized (
      select id, created_at, id <> ${withoutId} as is_other from broadcasts cross join (select ${firstId} as first_id)
      where project_id = ${projectId} and kind = 'broadcast' and id > first_id
        and plan ->> '$.resend.of' = first_id and plan ->> '$.resend.to' = 'joined')
    select ${idText(sql`l.subscriber_id`)} from log_entries l indexed by log_entries_by_status
    where l.project_id = ${storedId(projectId)} and l.status = ${storedStatus("sent")}
      and l.sent_at >= (select min(created_at) from joined)
      and l.broadcast_id in (select ${storedIdSql(sql`id`)} from joined)
      and l.subscriber_id is not null
    union all ${more(sql`select id from joined where is_other`)}`;
