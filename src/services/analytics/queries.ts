import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import type { LinkBucket } from "./link-buckets.ts";
import type { Piece, Span } from "./window.ts";

/* Reads of rollups, and of the log only at the edges of a window. */

/** A rollup row of a piece of a window, and whether it is added or taken off. */
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

/** The totals of mails in the pieces of a window, one row a bucket. */
export function selectRollups(db: Database, projectId: string, pieces: Piece[]) {
  return db.all<RollupRow>(
    sql`select p.value ->> 'sign' as sign, r.bucket_at as at, r.sent, r.failed, r.bounced, r.suppressed, r.opened, r.clicked, r.opens
      from json_each(${JSON.stringify(pieces)}) p cross join rollups r
        on r.project_id = ${projectId} and r.kind = 'log' and r.grain = p.value ->> 'grain'
          and r.bucket_at >= p.value ->> 'from' and r.bucket_at < p.value ->> 'to'`,
  );
}

/** A time at an edge whose entries are counted in the log itself. */
export interface RawSpan extends Span {
  /** Start of the hour it lies in. */
  hour: number;
  /** 1: they are added to the window, -1: taken off it, 0: they belong to the edge of another window. */
  sign: number;
}

/** Either entries of one status at an edge, or a template of the window's top. */
export interface MailRow {
  section: "edge" | "template";
  /** Index of the edge. */
  edge: number;
  /** The status, or the template's id. */
  key: string;
  /** "" when the template was deleted. */
  name: string;
  n: number;
  opened: number;
  clicked: number;
}

/** Entries of an hour, or its first opens, above which an edge in it is not read. */
const MAX_OF_EDGE_HOUR = 1_000;

/** Whether the hour of the edge `e` has few enough of what these columns of its rollup count. */
const isRead = (projectId: string, columns: readonly string[]): SQL =>
  sql`coalesce((select ${sql.raw(columns.join(" + "))} from rollups where project_id = ${projectId} and kind = 'log'
    and grain = 'hour' and bucket_at = e.value ->> 'hour' and subject = ''), 0) <= ${MAX_OF_EDGE_HOUR}`;

/** How many templates and links an overview names. */
export const TOP = 10;

/** In how many hours and days of a window templates are looked for. */
const BUCKETS_OF_TEMPLATES = 400;

/**
 * Entries at the edges of a window by status, and the templates most used in the window: one
 * statement, so that both are told from one reading of the log. Of an edge in an hour with more than
 * 1,000 entries there is nothing, so that it counts as a full hour. `rowBudget` bounds what it reads of
 * both, unless the edges need more than half of it: what they leave goes to templates, a quarter of the
 * rows at least, lest a mailing at an edge hide the templates of the whole window. Of these come first
 * the hours that are taken off the window, then its busiest hours and days, 400 in all, so that where
 * that ends before the window does, the counts of templates are lower bounds.
 */
export function selectMails(
  db: Database,
  projectId: string,
  edges: RawSpan[],
  pieces: Piece[],
  rowBudget: number,
) {
  return db.all<MailRow>(
    sql`with raw as materialized (
        select e.key as edge, e.value ->> 'sign' as sign, l.status, l.template_id,
          count(*) as n, count(l.opened_at) as opened, count(l.clicked_at) as clicked
        from json_each(${JSON.stringify(edges)}) e cross join json_each(${JSON.stringify(LOG_STATUSES)}) s
          cross join email_logs l indexed by email_logs_by_status
            on l.project_id = ${projectId} and l.status = s.value
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
        group by id having sum(n) > 0 order by 2 desc, 1 limit ${TOP}
      )
      select 'edge' as section, edge, status as key, '' as name, n, opened, clicked from raw
      union all
      select 'template', 0, id, coalesce((select name from templates where templates.id = top.id and project_id = ${projectId}), ''), n, 0, 0
      from top`,
  );
}

/** First opens at an edge that begins at `at`. */
export interface OpensRow {
  sign: number;
  at: number;
  n: number;
}

/** How many first opens happened at the edges of a window; none of an hour with more than 1,000. */
export function selectOpens(db: Database, projectId: string, edges: RawSpan[]) {
  return db.all<OpensRow>(
    sql`select e.value ->> 'sign' as sign, e.value ->> 'from' as at, (
        select count(*) from email_logs indexed by email_logs_by_open
        where project_id = ${projectId} and opened_at >= e.value ->> 'from' and opened_at < e.value ->> 'to') as n
      from json_each(${JSON.stringify(edges)}) e
      where sign <> 0 and ${isRead(projectId, ["opens"])}`,
  );
}

/** Starts of the first and the last day with clicks; null without any. */
export interface ClickedDays {
  first: number | null;
  last: number | null;
}

/** The first and the last day on which links of a project were clicked; two rows read. */
export function selectClickedDays(db: Database, projectId: string) {
  const end = (direction: "asc" | "desc") => sql`(select bucket_at from rollups
    where project_id = ${projectId} and kind = 'link' and grain = 'day' order by bucket_at ${sql.raw(direction)} limit 1)`;
  return db.all<ClickedDays>(sql`select ${end("asc")} as first, ${end("desc")} as last`);
}

/** The most clicked links of one bucket: a JSON array of [URL, clicks]. */
export interface LinksRow {
  links: string;
}

/** The `perBucket` most clicked links of each bucket; reads no more than it returns. */
export function selectLinks(
  db: Database,
  projectId: string,
  buckets: LinkBucket[],
  perBucket: number,
) {
  return db.all<LinksRow>(
    sql`select (select json_group_array(json_array(label, clicks)) from (
        select label, clicks from rollups indexed by rollups_top_links
        where project_id = ${projectId} and kind = 'link'
          and grain = b.value ->> 'grain' and bucket_at = b.value ->> 'at'
        order by clicks desc limit ${perBucket})) as links
      from json_each(${JSON.stringify(buckets)}) b`,
  );
}

/** Subscribers of status active now: one row, or none for a project that never had any. */
export function selectActiveSubscribers(db: Database, projectId: string) {
  return db.all<{ active: number }>(
    sql`select subscribers_active as active from project_counters where project_id = ${projectId}`,
  );
}
