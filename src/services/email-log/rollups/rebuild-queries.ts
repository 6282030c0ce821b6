import { sql, type SQL } from "drizzle-orm";
import { LOG_STATUSES } from "../../../db/schema/index.ts";
import { DAY_MS } from "../../../lib/durations.ts";
import { mergeRollups, sumByBucket } from "./add-to-rollups.ts";
import { idText, storedIdSql, storedStatus } from "../stored-form.ts";
import { bucketSql, OF_A_DAY, type Grain } from "./grains.ts";

/* SQL that rebuilds rollups from the log, runnable by a Worker or an operator's tool. */

/** The projects and the time that a rebuild covers. */
export interface RebuildScope {
  /** One project, or all if undefined. */
  projectId: string | undefined;
  /**
   * The start of the first UTC day whose mails are all in the log and stay there during the
   * rebuild. Undefined if no mail was ever removed (selectLogStart, retention). Opens and clicks of
   * removed mails exist only in rollups; where there may be any, the greater of the old and the new
   * count wins.
   */
  keptFromMs: number | undefined;
}

const projectIds = ({ projectId }: Pick<RebuildScope, "projectId">): SQL =>
  projectId === undefined
    ? sql`(select id from projects)`
    : sql`(select id from projects where id = ${projectId})`;

const STATUSES = sql.raw(`json_each('${JSON.stringify(LOG_STATUSES)}')`);

/** Returns the SQL condition for the hour and day rows of one day, of all kinds. */
const ofDay = (scope: RebuildScope, day: number): SQL => sql`project_id in ${projectIds(scope)}
  and kind in ('log', 'template', 'link') and grain in (${sql.raw(OF_A_DAY.map((grain) => `'${grain}'`).join())})
  and bucket_at >= ${day} and bucket_at < ${day + DAY_MS}`;

const isWithin = (column: SQL, day: number): SQL =>
  sql`${column} >= ${day} and ${column} < ${day + DAY_MS}`;

export interface LogStart {
  /** The number of projects that have a log. */
  projects: number;
  /** The start of the first UTC day whose mails are all in the log; 0 if none was ever removed. */
  wholeFrom: number;
}

/**
 * Selects the one LogStart of a rebuild from the log itself, because the current retention does not
 * reveal an earlier one. A project has lost mails if its totals are older than its log, or if they
 * exceed the log on its first day. The log is then complete from the next day on. A project without
 * a log has no complete day. The latest start of all projects applies.
 */
export function selectLogStart(scope: Pick<RebuildScope, "projectId">): SQL {
  const mails = sql.raw(LOG_STATUSES.map((status) => `r.${status}`).join(" + "));
  const days = (where: SQL) => sql`from rollups r
    where r.project_id = first.id and r.kind = 'log' and r.grain = 'day' and ${where} and ${mails} > 0`;
  return sql`with first as materialized (
      select id, ${bucketSql(sql`at`, "day")} as day from (
        select p.id, min((select min(l.sent_at) from log_entries l indexed by log_entries_by_status
          where l.project_id = ${storedIdSql(sql`p.id`)} and l.status = s.key)) as at
        from ${projectIds(scope)} p cross join ${STATUSES} s group by p.id))
    select count(day) as projects, coalesce(max(case
        when day is null then (select max(r.bucket_at) + ${DAY_MS} ${days(sql`true`)})
        when exists (select 1 ${days(sql`r.bucket_at < first.day`)})
          or (select sum(${mails}) ${days(sql`r.bucket_at = first.day`)}) > (
            select count(*) from ${STATUSES} s cross join log_entries l indexed by log_entries_by_status
              on l.project_id = ${storedIdSql(sql`first.id`)} and l.status = s.key and l.sent_at < first.day + ${DAY_MS})
          then day + ${DAY_MS}
      end), 0) as "wholeFrom"
    from first`;
}

/**
 * Selects the days (`at`, milliseconds) since `from` that have entries to count or rows to correct.
 */
export function selectDays(scope: RebuildScope, from: number): SQL {
  return sql`select distinct at from (
      select bucket_at as at from rollups where project_id in ${projectIds(scope)} and grain = 'day'
      union
      select ${bucketSql(sql`l.sent_at`, "day")} from ${projectIds(scope)} p cross join ${STATUSES} s
        cross join log_entries l indexed by log_entries_by_status
          on l.project_id = ${storedIdSql(sql`p.id`)} and l.status = s.key and l.sent_at >= ${from}
      union
      select ${bucketSql(sql`l.opened_at`, "day")} from ${projectIds(scope)} p
        cross join log_entries l indexed by log_entries_by_open on l.project_id = ${storedIdSql(sql`p.id`)} and l.opened_at >= ${from}
      union
      select ${bucketSql(sql`k.clicked_at`, "day")} from email_clicks k cross join log_entries l on l.id = ${storedIdSql(sql`k.log_id`)}
        where k.clicked_at >= ${from} and ${idText(sql`l.project_id`)} in ${projectIds(scope)}
    ) where at >= ${from} order by at`;
}

/** A link that was clicked on a day but has no row of its own. */
export interface MissingLink {
  projectId: string;
  url: string;
}

/**
 * Selects links that were clicked on a day but have no row, because SQL cannot compute their
 * SHA-256.
 */
export function selectMissingLinks(scope: RebuildScope, day: number): SQL {
  return sql`with known as materialized (
      select project_id, label from rollups
      where project_id in ${projectIds(scope)} and kind = 'link' and grain = 'day' and bucket_at = ${day})
    select distinct ${idText(sql`l.project_id`)} as "projectId", k.url from email_clicks k cross join log_entries l on l.id = ${storedIdSql(sql`k.log_id`)}
    where ${isWithin(sql`k.clicked_at`, day)} and ${idText(sql`l.project_id`)} in ${projectIds(scope)}
      and not exists (select 1 from known where known.project_id = ${idText(sql`l.project_id`)} and known.label = k.url)`;
}

/** Inserts the rows of links for a day, with no clicks yet. */
export function insertLinkRows(day: number, links: (MissingLink & { urlHash: string })[]): SQL {
  return sql`insert into rollups (project_id, kind, grain, bucket_at, subject, label)
    select value ->> 'projectId', 'link', 'day', ${day}, value ->> 'urlHash', value ->> 'url'
    from json_each(${JSON.stringify(links)}) where true on conflict do nothing`;
}

/**
 * Returns the statements that rebuild the hours and the day of one UTC day, for one atomic batch.
 * Every link clicked on that day must already have its row. Reads the day's mails and all clicks in
 * the log, because clicks have no index by time.
 */
export function rebuildDay(scope: RebuildScope, day: number): SQL[] {
  return [
    clear(scope, day),
    countMails(scope, day),
    countOpens(scope, day),
    countTemplates(scope, day),
    countClicks(scope, day),
    sql`delete from rollups where ${ofDay(scope, day)} and sent = 0 and failed = 0 and bounced = 0
      and suppressed = 0 and opened = 0 and clicked = 0 and opens = 0 and clicks = 0`,
  ];
}

function clear(scope: RebuildScope, day: number): SQL {
  const hasRemoved = (what: "opened" | "clicked") =>
    scope.keptFromMs === undefined
      ? sql`false`
      : sql`exists (select 1 from rollups older where older.project_id = rollups.project_id
          and older.kind = 'log' and older.grain = 'day' and older.bucket_at < ${scope.keptFromMs}
          and older.${sql.raw(what)} + older.failed + older.bounced > 0)`;
  return sql`update rollups set sent = 0, failed = 0, bounced = 0, suppressed = 0, opened = 0, clicked = 0,
      opens = case when ${hasRemoved("opened")} then opens else 0 end,
      clicks = case when ${hasRemoved("clicked")} then clicks else 0 end
    where ${ofDay(scope, day)}`;
}

const mailsOf = (scope: RebuildScope, day: number): SQL => sql`${projectIds(scope)} p
  cross join ${STATUSES} s cross join log_entries l indexed by log_entries_by_status
    on l.project_id = ${storedIdSql(sql`p.id`)} and l.status = s.key and ${isWithin(sql`l.sent_at`, day)}`;

const isSent = sql`l.status = ${storedStatus("sent")}`;

function countMails(scope: RebuildScope, day: number): SQL {
  const counters = [...LOG_STATUSES, "opened", "clicked"] as const;
  const counts = LOG_STATUSES.map(
    (status) => `l.status = ${LOG_STATUSES.indexOf(status)} as ${status}`,
  ).join();
  return mergeRollups(
    "replace",
    counters,
    sumByBucket(
      { log: OF_A_DAY },
      counters,
      sql`select p.id as project_id, 'log' as kind, '' as subject, '' as label, l.sent_at as at,
        ${sql.raw(counts)}, ${isSent} and l.opened_at is not null as opened, ${isSent} and l.clicked_at is not null as clicked
      from ${mailsOf(scope, day)}`,
    ),
  );
}

function countOpens(scope: RebuildScope, day: number): SQL {
  return mergeRollups(
    "keepGreater",
    ["opens"],
    sumByBucket(
      { log: OF_A_DAY },
      ["opens"],
      sql`select p.id as project_id, 'log' as kind, '' as subject, '' as label, l.opened_at as at, 1 as opens
      from ${projectIds(scope)} p cross join log_entries l indexed by log_entries_by_open
        on l.project_id = ${storedIdSql(sql`p.id`)} and ${isWithin(sql`l.opened_at`, day)}`,
    ),
  );
}

function countTemplates(scope: RebuildScope, day: number): SQL {
  return mergeRollups(
    "replace",
    ["sent"],
    sumByBucket(
      { template: OF_A_DAY },
      ["sent"],
      sql`select p.id as project_id, 'template' as kind, ${idText(sql`l.template_id`)} as subject, '' as label, l.sent_at as at, 1 as sent
      from ${mailsOf(scope, day)} where ${isSent} and l.template_id is not null`,
    ),
  );
}

/** Counts clicks by URL and hour first, then joins the row that has the URL's hash. */
function countClicks(scope: RebuildScope, day: number): SQL {
  const hour = bucketSql(sql`k.clicked_at`, "hour");
  return mergeRollups(
    "keepGreater",
    ["clicks"],
    sumByBucket(
      { link: OF_A_DAY },
      ["clicks"],
      sql`with clicked as materialized (
        select ${idText(sql`l.project_id`)} as project_id, ${hour} as at, k.url, count(*) as clicks
        from email_clicks k cross join log_entries l on l.id = ${storedIdSql(sql`k.log_id`)}
        where ${isWithin(sql`k.clicked_at`, day)} and ${idText(sql`l.project_id`)} in ${projectIds(scope)}
        group by l.project_id, at, k.url
      ), links as materialized (
        select project_id, label, subject from rollups
        where project_id in ${projectIds(scope)} and kind = 'link' and grain = 'day' and bucket_at = ${day}
      )
      select c.project_id, 'link' as kind, links.subject, c.url as label, c.at, c.clicks
      from clicked c join links on links.project_id = c.project_id and links.label = c.url`,
    ),
  );
}

/**
 * Returns the statements that set the all-time totals to the sum of the days, for one atomic batch.
 */
export function rebuildAllTime(scope: RebuildScope): SQL[] {
  const counters = [...LOG_STATUSES, "opened", "clicked", "opens"] as const;
  const ofLog = (grain: Grain) =>
    sql`project_id in ${projectIds(scope)} and kind = 'log' and grain = ${grain}`;
  return [
    sql`delete from rollups where ${ofLog("all")}`,
    mergeRollups(
      "replace",
      counters,
      sumByBucket(
        { log: ["all"] },
        counters,
        sql`select project_id, kind, subject, label, bucket_at as at, ${sql.raw(counters.join())}
        from rollups where ${ofLog("day")}`,
      ),
    ),
  ];
}
