import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { LOG_STATUSES } from "../../../db/schema/index.ts";
import { uncountedSql } from "../uncounted.ts";
import type { Grain } from "../rollups/grains.ts";
import { idText, storedId, storedStatus } from "../stored-form.ts";
import { hoursAndEdges, piecesOf, type Span } from "./window.ts";

/** The counts of an hour or a day, or of a part of an hour. */
export interface CountRow {
  /** The start of the hour or day, in milliseconds. */
  at: number;
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
  /** Mails of `sent` opened and clicked at any time since. */
  opened: number;
  clicked: number;
  /** First opens during that time. */
  opens: number;
}

/** How to count a window. */
export interface CountOptions {
  /** Counts each hour of its own, rather than whole days where possible. */
  byHour: boolean;
  /** The start of the mails that the log still has. */
  keptFrom: number;
  /** The maximum number of mails of an hour for a part of it to be read from the log. */
  edgeMax: number;
}

/** Selects the counts of `countsOf`. */
export function selectCounts(db: Database, projectId: string, window: Span, options: CountOptions) {
  return db.all<CountRow>(countsOf(projectId, window, options));
}

/**
 * Returns the query of the counts of the mails sent in a window: full hours and days from the
 * rollups, and the parts of hours at its ends from the log. Such an hour counts in full if it has
 * more than `edgeMax` mails, if the log no longer has them, or for its first opens, if it has more
 * than a quarter as many.
 */
export function countsOf(
  projectId: string,
  window: Span,
  { byHour, keptFrom, edgeMax }: CountOptions,
): SQL {
  const { hours, edges } = hoursAndEdges(window);
  const pieces = JSON.stringify(piecesOf(hours, byHour));
  const parts = JSON.stringify(edges);
  const counted = LOG_STATUSES.map((status) => sql`sum(l.status = ${storedStatus(status)})`);
  const isSent = sql`l.status = ${storedStatus("sent")}`;
  return sql`with edges as materialized (
      select e.key, e.value ->> 'hour' as hour, e.value ->> 'from' as "from", e.value ->> 'to' as "to", r.*,
        e.value ->> 'hour' < ${keptFrom} or coalesce(r.sent + r.failed + r.bounced + r.suppressed, 0) > ${edgeMax} as is_full
      from json_each(${parts}) e left join rollups r
        on r.project_id = ${projectId} and r.kind = 'log' and r.grain = 'hour'
          and r.bucket_at = e.value ->> 'hour' and r.subject = '')
    select r.bucket_at as at, r.sent, r.failed, r.bounced, r.suppressed, r.opened, r.clicked, r.opens
      from json_each(${pieces}) p cross join rollups r
        on r.project_id = ${projectId} and r.kind = 'log' and r.grain = p.value ->> 'grain'
          and r.bucket_at >= p.value ->> 'from' and r.bucket_at < p.value ->> 'to'
    union all
    select hour, is_full * sent, is_full * failed, is_full * bounced, is_full * suppressed,
        is_full * opened, is_full * clicked, iif(is_full or opens > ${edgeMax} / 4, opens, (
          select count(*) from log_entries indexed by log_entries_by_open
          where project_id = ${storedId(projectId)} and opened_at >= "from" and opened_at < "to"
            and test is null))
      from edges where bucket_at is not null
    union all
    select hour, ${sql.join(counted, sql`, `)}, sum(${isSent} and l.opened_at is not null),
        sum(${isSent} and l.clicked_at is not null), 0
      from edges cross join json_each(${JSON.stringify(LOG_STATUSES)}) s
        cross join log_entries l indexed by log_entries_by_status
          on l.project_id = ${storedId(projectId)} and l.status = s.key
            and l.sent_at >= "from" and l.sent_at < "to"
      where not is_full and not ${uncountedSql(isSent, { tags: sql`l.tags`, test: sql`l.test` })}
      group by edges.key`;
}

/** An hour or a day. */
export interface Bucket {
  grain: Grain;
  at: number;
}

export interface TemplateSends {
  templateId: string;
  /** "" if the template was deleted. */
  name: string;
  sends: number;
}

/**
 * Selects the `top` templates by accepted mails at the `edges`, from the log, and in these buckets.
 * Reads at most `rowMax` mails and `rowMax` buckets, from the first on.
 */
export function selectTemplates(
  db: Database,
  projectId: string,
  { buckets, edges }: { buckets: Bucket[]; edges: Span[] },
  { top, rowMax }: { top: number; rowMax: number },
) {
  return db.all<TemplateSends>(
    sql`select id as "templateId", sends, coalesce((
          select name from templates where templates.id = top.id and project_id = ${projectId}), '') as name
      from (
        select id, sum(sent) as sends from (
          select ${idText(sql`template_id`)} as id, 1 as sent from (
            select l.template_id, l.test from json_each(${JSON.stringify(edges)}) e
              cross join log_entries l indexed by log_entries_by_status
                on l.project_id = ${storedId(projectId)} and l.status = ${storedStatus("sent")}
                  and l.sent_at >= e.value ->> 'from' and l.sent_at < e.value ->> 'to'
              limit ${rowMax}) where template_id is not null and test is null
          union all
          select r.subject, r.sent from json_each(${JSON.stringify(buckets)}) b cross join rollups r
            on r.project_id = ${projectId} and r.kind = 'template'
              and r.grain = b.value ->> 'grain' and r.bucket_at = b.value ->> 'at'
          limit ${rowMax})
        group by id having sum(sent) > 0 order by sends desc, id limit ${top}) top
      order by sends desc, id`,
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
export function selectLinks(db: Database, projectId: string, buckets: Bucket[], perBucket: number) {
  return db.all<LinksRow>(
    sql`select (select json_group_array(json_object('url', label, 'clicks', clicks)) from (
        select label, clicks from rollups indexed by rollups_top_links
        where project_id = ${projectId} and kind = 'link'
          and grain = b.value ->> 'grain' and bucket_at = b.value ->> 'at'
        order by clicks desc limit ${perBucket})) as links
      from json_each(${JSON.stringify(buckets)}) b`,
  );
}
