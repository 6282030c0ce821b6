import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { LOG_STATUSES } from "../../../db/schema/index.ts";
import type { DayGrain } from "../rollups/grains.ts";
import { idText, statusText, storedId } from "../stored-form.ts";

/* Queries of rollups. They read the log only at the edges of a window. */

/**
 * The rollup rows of one grain in a span. `sign` adds them to a window or subtracts them from it.
 */
export interface Piece {
  grain: DayGrain;
  sign: 1 | -1;
  /** Milliseconds, inclusive. */
  from: number;
  /** Milliseconds, exclusive. */
  to: number;
}

/** A rollup row of a piece of a window. `sign` adds or subtracts the row. */
export interface RollupRow {
  sign: number;
  at: number;
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
  opened: number;
  clicked: number;
  opens: number;
}

/** Selects the totals of mails in the pieces of a window, one row for each bucket. */
export function selectRollups(db: Database, projectId: string, pieces: Piece[]) {
  return db.all<RollupRow>(
    sql`select p.value ->> 'sign' as sign, r.bucket_at as at, r.sent, r.failed, r.bounced, r.suppressed, r.opened, r.clicked, r.opens
      from json_each(${JSON.stringify(pieces)}) p cross join rollups r
        on r.project_id = ${projectId} and r.kind = 'log' and r.grain = p.value ->> 'grain'
          and r.bucket_at >= p.value ->> 'from' and r.bucket_at < p.value ->> 'to'`,
  );
}

/** A span at an edge whose entries are counted in the log itself. */
export interface RawSpan {
  /** Milliseconds, inclusive. */
  from: number;
  /** Milliseconds, exclusive. */
  to: number;
  /** The start of the hour that contains the span. */
  hour: number;
  /**
   * 1 adds the entries to the window, -1 subtracts them, 0 leaves them to the edge of another
   * window.
   */
  sign: number;
}

/** The number of entries of one status at an edge, or of a top template of the window. */
export interface MailRow {
  section: "edge" | "template";
  edge: number;
  /** The status or the template id. */
  key: string;
  /** The template's name; "" if it was deleted. */
  name: string;
  n: number;
  opened: number;
  clicked: number;
}

/** The maximum number of entries or first opens in an hour whose edge is still read. */
const MAX_OF_EDGE_HOUR = 1_000;

/**
 * Returns the SQL condition that these columns are within the limit in the rollup of the hour that
 * contains the edge `e`.
 */
const isRead = (projectId: string, columns: readonly string[]): SQL =>
  sql`coalesce((select ${sql.raw(columns.join(" + "))} from rollups where project_id = ${projectId} and kind = 'log'
    and grain = 'hour' and bucket_at = e.value ->> 'hour' and subject = ''), 0) <= ${MAX_OF_EDGE_HOUR}`;

/** The number of hours and days of a window searched for templates. */
const BUCKETS_OF_TEMPLATES = 400;

/**
 * Selects the entries at the edges of a window by status, and the most used templates of the
 * window. One statement does both, so both come from one consistent read of the log. An edge in an
 * hour with more than 1,000 entries has no rows and counts as a full hour. Returns at most `top`
 * templates. `rowBudget` limits the rows read, unless the edges need more than half of it.
 * Templates get the rows that the edges leave, and at least a quarter, so a mailing at an edge
 * cannot hide the templates of the whole window. The hours to subtract come first, then the busiest
 * hours and days, 400 in all. If that limit excludes a part of the window, the counts of templates
 * are lower bounds.
 */
export function selectMails(
  db: Database,
  projectId: string,
  edges: RawSpan[],
  pieces: Piece[],
  rowBudget: number,
  top: number,
) {
  return db.all<MailRow>(
    sql`with raw as materialized (
        select e.key as edge, e.value ->> 'sign' as sign, ${statusText(sql`l.status`)} as status,
          ${idText(sql`l.template_id`)} as template_id, count(*) as n, count(l.opened_at) as opened,
          count(l.clicked_at) as clicked
        from json_each(${JSON.stringify(edges)}) e
          cross join json_each(${JSON.stringify(LOG_STATUSES)}) s
          cross join log_entries l indexed by log_entries_by_status
            on l.project_id = ${storedId(projectId)} and l.status = s.key
              and l.sent_at >= e.value ->> 'from' and l.sent_at < e.value ->> 'to'
        where ${isRead(projectId, LOG_STATUSES)}
        group by edge, l.status, l.template_id
      ), buckets as (
        select r.grain, r.bucket_at, p.value ->> 'sign' as sign
        from json_each(${JSON.stringify(pieces)}) p cross join rollups r
          on r.project_id = ${projectId} and r.kind = 'log' and r.grain = p.value ->> 'grain'
            and r.bucket_at >= p.value ->> 'from' and r.bucket_at < p.value ->> 'to'
        where r.sent > 0 order by sign, r.sent desc limit ${BUCKETS_OF_TEMPLATES}
      ), picked as (
        select t.subject as id, b.sign * t.sent as n from buckets b cross join rollups t
          on t.project_id = ${projectId} and t.kind = 'template' and t.grain = b.grain and t.bucket_at = b.bucket_at
        limit max(${rowBudget} / 4, (select ${rowBudget} / 2 - coalesce(sum(n), 0) from raw))
      ), top as (
        select id, sum(n) as n from (
          select id, n from picked
          union all
          select template_id, sign * n from raw where sign <> 0 and status = 'sent' and template_id is not null)
        group by id having sum(n) > 0 order by 2 desc, 1 limit ${top}
      )
      select 'edge' as section, edge, status as key, '' as name, n, opened, clicked from raw
      union all
      select 'template', 0, id, coalesce((select name from templates where templates.id = top.id and project_id = ${projectId}), ''), n, 0, 0
      from top`,
  );
}

/** The first opens at an edge that begins at `at`. */
export interface OpensRow {
  sign: number;
  at: number;
  n: number;
}

/**
 * Selects the number of first opens at the edges of a window. An hour with more than 1,000 is
 * omitted.
 */
export function selectOpens(db: Database, projectId: string, edges: RawSpan[]) {
  return db.all<OpensRow>(
    sql`select e.value ->> 'sign' as sign, e.value ->> 'from' as at, (
        select count(*) from log_entries indexed by log_entries_by_open
        where project_id = ${storedId(projectId)} and opened_at >= e.value ->> 'from' and opened_at < e.value ->> 'to') as n
      from json_each(${JSON.stringify(edges)}) e
      where sign <> 0 and ${isRead(projectId, ["opens"])}`,
  );
}

/** The starts of the first and the last day with clicks. Null if there are no clicks. */
export interface ClickedDays {
  first: number | null;
  last: number | null;
}

/** Selects the first and the last day with clicks in a project. Reads two rows. */
export function selectClickedDays(db: Database, projectId: string) {
  const end = (direction: "asc" | "desc") => sql`(select bucket_at from rollups
    where project_id = ${projectId} and kind = 'link' and grain = 'day' order by bucket_at ${sql.raw(direction)} limit 1)`;
  return db.all<ClickedDays>(sql`select ${end("asc")} as first, ${end("desc")} as last`);
}

/** An hour or a day with clicks counted by link. */
export interface LinkBucket {
  grain: DayGrain;
  at: number;
}

export interface LinkClicks {
  url: string;
  clicks: number;
}

/** The most clicked links of one bucket: a JSON array of LinkClicks. */
export interface LinksRow {
  links: string;
}

/**
 * Selects the `perBucket` most clicked links of each bucket. Reads only the rows that it returns.
 */
export function selectLinks(
  db: Database,
  projectId: string,
  buckets: LinkBucket[],
  perBucket: number,
) {
  return db.all<LinksRow>(
    sql`select (select json_group_array(json_object('url', label, 'clicks', clicks)) from (
        select label, clicks from rollups indexed by rollups_top_links
        where project_id = ${projectId} and kind = 'link'
          and grain = b.value ->> 'grain' and bucket_at = b.value ->> 'at'
        order by clicks desc limit ${perBucket})) as links
      from json_each(${JSON.stringify(buckets)}) b`,
  );
}
