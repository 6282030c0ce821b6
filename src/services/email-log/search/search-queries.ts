import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { LOG_STATUSES } from "../../../db/schema/index.ts";
import {
  either,
  eitherId,
  EITHER_STATUS,
  EITHER_SUBJECT,
  JOIN_ENTRIES,
  ROW_COLUMNS,
  type LogRow,
} from "../log-rows.ts";
import { LOG_TABLES, type LogTable } from "../log-tables.ts";
import { idText, storedId, storedStatus, type LogStatus } from "../stored-form.ts";
import { madeVisit } from "../visits/made-visit.ts";
import { SCANNED_MAX, type LogSearch } from "./log-search.ts";

/** The entries to examine: those of one address, and those with these ids. */
interface Source {
  email: string;
  ids: string[];
}

export const END_OF_TIME_MS = 8.64e15;
const NEWEST = sql`order by sent_at desc, id desc limit ${sql.raw(String(SCANNED_MAX))}`;

/** Selects the matches among the entries to examine, newest first. */
export function selectMatches(
  db: Database,
  projectId: string,
  search: LogSearch,
  source: Source | undefined,
  limit: number,
) {
  return db.all<LogRow>(
    sql`select ${ROW_COLUMNS} from (${examined(projectId, search, source)}) page ${JOIN_ENTRIES}
      where ${matches(search)} order by page.sent_at desc, page.text desc limit ${limit}`,
  );
}

/** Selects the last of the entries to examine, if there are as many as a page examines. */
export function selectEnd(
  db: Database,
  projectId: string,
  search: LogSearch,
  source: Source | undefined,
) {
  return db.all<{ at: number; id: string }>(
    sql`select sent_at as at, text as id from (${examined(projectId, search, source)})
      order by sent_at desc, text desc limit 1 offset ${SCANNED_MAX - 1}`,
  );
}

/** Returns the query of the entries to examine: stored id, time, and text of the id. */
function examined(projectId: string, search: LogSearch, source: Source | undefined): SQL {
  const branches = source
    ? LOG_TABLES.flatMap((log) => ofRecipient(log, projectId, search, source))
    : ofStatuses(projectId, search);
  return sql`${sql.join(branches, sql` union all `)} order by sent_at desc, text desc limit ${SCANNED_MAX}`;
}

/** Returns the condition on time and place of a row of a table. */
function within(log: LogTable, { from = 0, to = END_OF_TIME_MS, after }: LogSearch): SQL {
  const before = after ? sql` and (l.sent_at, l.id) < (${after[0]}, ${log.id(after[1])})` : sql``;
  return sql`l.sent_at >= ${from} and l.sent_at < ${to}${before}`;
}

function ofStatuses(projectId: string, search: LogSearch): SQL[] {
  const statuses = statusesOf(search);
  const [entries, old] = LOG_TABLES as [LogTable, LogTable];
  const branches = statuses.map(
    (status) => sql`select * from (
      select id, sent_at, ${idText(sql`id`)} as text from log_entries l indexed by log_entries_by_status
      where project_id = ${storedId(projectId)} and status = ${storedStatus(status)} and ${within(entries, search)} ${NEWEST})`,
  );
  // One term covers all statuses, because D1 takes at most five terms.
  const ofOldLog = sql`select l.id, l.sent_at, l.id as text
    from json_each(${JSON.stringify(statuses)}) status
      cross join email_logs l on l.id in (select l.id from email_logs l indexed by email_logs_by_status
        where l.project_id = ${projectId} and l.status = status.value and ${within(old, search)} ${NEWEST})`;
  return [...branches, ofOldLog];
}

/**
 * Returns the statuses to examine. Only refused mails have a reason, so a search by reason skips
 * others.
 */
function statusesOf({ status, reason }: LogSearch): readonly LogStatus[] {
  if (status) return [status];
  return reason === undefined ? LOG_STATUSES : ["failed", "bounced"];
}

function ofRecipient(
  log: LogTable,
  projectId: string,
  search: LogSearch,
  { email, ids }: Source,
): SQL[] {
  const text = log.idText(sql`l.id`);
  return [
    sql`select * from (select l.id, l.sent_at, ${text} as text from ${log.name} l indexed by ${log.byRecipient}
      where l.project_id = ${log.id(projectId)} and l.to_email = ${email} and l.broadcast_id is null
        and ${within(log, search)} ${NEWEST})`,
    sql`select l.id, l.sent_at, ${text} as text
      from json_each(${JSON.stringify(ids)}) cross join ${log.name} l on l.id = ${log.idSql(sql`value`)}
      where l.project_id = ${log.id(projectId)} and ${within(log, search)}`,
  ];
}

const VISIT_COLUMNS = {
  id: eitherId("id"),
  openedAt: either("opened_at"),
  openedClass: either("opened_class"),
  clickedAt: either("clicked_at"),
};

/** Returns the conditions that the source of the entries does not already fulfil. */
export function matches(search: LogSearch): SQL {
  const { status, toEmail, subscriberId, templateId, broadcastId, reason, subject } = search;
  const { tag, tagValue } = search;
  const all = [
    status && sql`${EITHER_STATUS} = ${status}`,
    toEmail && sql`${either("to_email")} = ${toEmail}`, // the subscriber may have had another
    subscriberId && sql`${eitherId("subscriber_id")} = ${subscriberId}`,
    templateId && sql`${eitherId("template_id")} = ${templateId}`,
    broadcastId && sql`${eitherId("broadcast_id")} = ${broadcastId}`,
    reason && sql`${either("reason")} = ${reason}`,
    subject && sql`substr(${EITHER_SUBJECT}, 1, length(${subject})) = ${subject}`,
    madeVisit(search, VISIT_COLUMNS),
    (tag ?? tagValue) &&
      sql`exists (select 1 from json_each(${either("tags")}) where ${isTag(tag, tagValue)})`,
  ];
  const given = all.filter((condition) => typeof condition === "object");
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `);
}

const isTag = (name: string | undefined, value: string | undefined): SQL =>
  sql.join(
    [
      ...(name === undefined ? [] : [sql`key = ${name}`]),
      ...(value === undefined ? [] : [sql`value = ${value}`]),
    ],
    sql` and `,
  );
