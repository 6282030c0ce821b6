import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { LOG_STATUSES } from "../../../db/schema/index.ts";
import { ROW_COLUMNS, type LogRow } from "../log-rows.ts";
import { idText, storedId, storedIdSql, storedStatus } from "../stored-form.ts";
import type { LogPart, LogSearch } from "./log-search.ts";

/** The entries to examine: those of one address, and those with these ids. */
interface Source {
  email: string;
  ids: string[];
}

export const END_OF_TIME_MS = 8.64e15;

const newest = (most: number) => sql`order by sent_at desc, id desc limit ${sql.raw(String(most))}`;

/** Selects a page of the entries of a time, newest first. Reads those that its offset skips. */
export function selectNewest(
  db: Database,
  projectId: string,
  part: LogPart,
  { limit, offset }: { limit: number; offset: number },
) {
  return db.all<LogRow>(
    sql`select ${ROW_COLUMNS} from (
        ${sql.join(ofStatuses(projectId, part, limit + offset), sql` union all `)}
        ${newest(limit)} offset ${offset}) page
      cross join log_entries l on l.id = page.id order by page.sent_at desc, page.id desc`,
  );
}

/** The newest entries of a source, of which a page examines `most`. */
interface Examined {
  search: LogSearch;
  source: Source | undefined;
  most: number;
}

/** Selects the matches among the entries to examine, newest first. */
export function selectMatches(db: Database, projectId: string, page: Examined, limit: number) {
  return db.all<LogRow>(
    sql`select ${ROW_COLUMNS} from (${examined(projectId, page)}) page
        cross join log_entries l on l.id = page.id
      where ${matches(page.search)} order by page.sent_at desc, page.id desc limit ${limit}`,
  );
}

/** Selects the last of the entries to examine, if there are as many as a page examines. */
export function selectEnd(db: Database, projectId: string, page: Examined) {
  return db.all<{ at: number; id: string }>(
    sql`select sent_at as at, ${idText(sql`id`)} as id from (${examined(projectId, page)}) page
      order by page.sent_at desc, page.id desc limit 1 offset ${page.most - 1}`,
  );
}

/** Returns the query of the entries to examine: stored id and time. */
function examined(projectId: string, { search, source, most }: Examined): SQL {
  const branches = source
    ? ofRecipient(projectId, search, source, most)
    : ofStatuses(projectId, search, most);
  return sql`${sql.join(branches, sql` union all `)} ${newest(most)}`;
}

/** Returns the condition on the time and cursor of an entry. */
function within({ from = 0, to = END_OF_TIME_MS, after }: LogPart): SQL {
  if (!after) return sql`l.sent_at >= ${from} and l.sent_at < ${to}`;
  const [sentAt, id] = after;
  return sql`l.sent_at >= ${from} and l.sent_at < ${Math.min(to, sentAt + 1)}
    and (l.sent_at < ${sentAt} or l.id < ${storedId(id)})`;
}

function ofStatuses(projectId: string, part: LogPart, most: number): SQL[] {
  return (part.status ? [part.status] : LOG_STATUSES).map(
    (status) => sql`select * from (
      select id, sent_at from log_entries l indexed by log_entries_by_status
      where project_id = ${storedId(projectId)} and status = ${storedStatus(status)} and ${within(part)} ${newest(most)})`,
  );
}

function ofRecipient(
  projectId: string,
  search: LogPart,
  { email, ids }: Source,
  most: number,
): SQL[] {
  return [
    sql`select * from (select id, sent_at from log_entries l indexed by log_entries_by_recipient
      where project_id = ${storedId(projectId)} and to_email = ${email} and broadcast_id is null
        and ${within(search)} ${newest(most)})`,
    sql`select l.id, l.sent_at
      from json_each(${JSON.stringify(ids)}) cross join log_entries l on l.id = ${storedIdSql(sql`value`)}
      where l.project_id = ${storedId(projectId)} and ${within(search)}`,
  ];
}

/**
 * Returns the conditions on `l` that the source of the entries does not already ensure; undefined
 * if there are none.
 */
function conditionsOf(search: LogSearch): SQL | undefined {
  const { status, toEmail, subscriberId, templateId, broadcastId } = search;
  const { automationId, stepId, tag, tagValue } = search;
  const all = [
    status && sql`l.status = ${storedStatus(status)}`,
    toEmail && sql`l.to_email = ${toEmail}`, // the subscriber's address may have changed
    subscriberId && sql`l.subscriber_id = ${storedId(subscriberId)}`,
    templateId && sql`l.template_id = ${storedId(templateId)}`,
    broadcastId && sql`l.broadcast_id = ${storedId(broadcastId)}`,
    automationId && sql`l.broadcast_id in (${mailsOf(automationId, stepId)})`,
    (tag ?? tagValue) &&
      sql`exists (select 1 from json_each(l.tags) where ${isTag(tag, tagValue)})`,
  ];
  const given = all.filter((condition) => typeof condition === "object");
  return given.length === 0 ? undefined : sql.join(given, sql` and `);
}

/** Selects the stored ids of the broadcasts that are the mails of an automation, or of its step. */
const mailsOf = (automationId: string, stepId: string | undefined): SQL =>
  sql`select ${storedIdSql(sql`b.id`)} from broadcasts b where b.automation_id = ${automationId}
    and ${stepId === undefined ? sql`true` : sql`b.step_id = ${stepId}`}`;

export const matches = (search: LogSearch): SQL => conditionsOf(search) ?? sql`true`;

/** The maximum number of entries that one page of a search examines. */
const SCANNED_MAX = 1_000;

/** Returns the number of entries that a page examines: those that it shows, if all match. */
export const examinedBy = (search: LogSearch, limit: number): number =>
  conditionsOf(search) ? SCANNED_MAX : limit;

const isTag = (name: string | undefined, value: string | undefined): SQL =>
  sql.join(
    [
      ...(name === undefined ? [] : [sql`key = ${name}`]),
      ...(value === undefined ? [] : [sql`value = ${value}`]),
    ],
    sql` and `,
  );
