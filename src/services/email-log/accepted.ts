import { sql, type SQL } from "drizzle-orm";
import { OUTCOME_UNKNOWN } from "./logged-errors.ts";
import { idText, storedId, storedIdSql, storedStatus } from "./stored-form.ts";

/**
 * Returns the query of the subscribers whose mail of a broadcast was accepted. Rows read: the
 * accepted mails of the project since the start of the broadcast.
 */
export const accepted = (projectId: string, broadcastId: string): SQL =>
  mailsOf(projectId, broadcastId, "sent");

function mailsOf(projectId: string, broadcastId: string, status: "sent" | "failed"): SQL {
  const from = sql`(select created_at from broadcasts where id = ${broadcastId} and project_id = ${projectId})`;
  return sql`select ${idText(sql`l.subscriber_id`)} from log_entries l indexed by log_entries_by_status
    where l.project_id = ${storedId(projectId)} and l.status = ${storedStatus(status)} and l.sent_at >= ${from}
      and l.broadcast_id = ${storedId(broadcastId)} and l.subscriber_id is not null`;
}

/** Returns the query of the same subscribers whose mail was neither opened nor clicked. */
export const notOpened = (projectId: string, broadcastId: string): SQL =>
  sql`${accepted(projectId, broadcastId)} and l.opened_at is null and l.clicked_at is null`;

/**
 * Returns the query of the subscribers whose mail of a broadcast failed: for certain or, with
 * `orUnknown`, perhaps. Rows read: the failed mails of the project since the start of the broadcast.
 */
export function failed(projectId: string, broadcastId: string, orUnknown: boolean): SQL {
  const isWanted = orUnknown
    ? sql``
    : sql` and substr(coalesce(l.error, ''), 1, ${OUTCOME_UNKNOWN.length}) <> ${OUTCOME_UNKNOWN}`;
  return sql`${mailsOf(projectId, broadcastId, "failed")}${isWanted}`;
}

/**
 * Returns the query of the subscribers who received any earlier resend of a broadcast to one of
 * these groups. Rows read: the later broadcasts of the project and, once for all of those that it
 * finds, the accepted mails of the project since the start of the first. `more` builds a further
 * query of subscribers from a query of the ids of these broadcasts, except `withoutId`.
 */
export const acceptedOfResends = (
  projectId: string,
  { of, to }: { of: string; to: readonly string[] },
  withoutId: string,
  more: (ids: SQL) => SQL,
): SQL =>
  sql`with resent as materialized (
      select id, created_at, id <> ${withoutId} as is_other from broadcasts cross join (select ${of} as first_id)
      where project_id = ${projectId} and kind = 'broadcast' and id > first_id and plan ->> '$.resend.of' = first_id
        and plan ->> '$.resend.to' in (select value from json_each(${JSON.stringify(to)})))
    select ${idText(sql`l.subscriber_id`)} from log_entries l indexed by log_entries_by_status
    where l.project_id = ${storedId(projectId)} and l.status = ${storedStatus("sent")}
      and l.sent_at >= (select min(created_at) from resent)
      and l.broadcast_id in (select ${storedIdSql(sql`id`)} from resent)
      and l.subscriber_id is not null
    union all ${more(sql`select id from resent where is_other`)}`;
