import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { addOpenHours } from "../rollups/add-open-hours.ts";
import { bucketSql } from "../rollups/grains.ts";
import { idText, storedId, storedIdSql } from "../stored-form.ts";
import { classAt, visitsOf } from "./visit-rows.ts";

/*
 * Counts visits of broadcast mails per broadcast: each mail counts once, and once per link. A first
 * open and a first click write one row each, which the mails of a batch share.
 */

/**
 * The maximum number of links of a broadcast with their own rows. The others share one row without
 * a URL.
 */
const LINKS_MAX = 100;

/** The length of the time at the beginning of a log id, with its dash. */
const TIME_DIGITS = 13;

/** Counts mails that get their first open. It must run before they are updated. */
export function countOpens(db: Database, visits: string) {
  return db.run(
    sql`insert into broadcast_counts (project_id, broadcast_id, opened, opened_human)
      with ${visitsOf(visits)}
      select ${idText(sql`l.project_id`)}, ${idText(sql`l.broadcast_id`)}, count(*),
        sum(${classAt(sql`visit.class`, sql`visit.open_at`)} = 'human')
      from visits visit cross join log_entries l on l.id = visit.entry_id
      where l.opened_at is null and visit.open_at is not null and l.broadcast_id is not null
      group by l.project_id, l.broadcast_id
      on conflict do update set opened = opened + excluded.opened,
        opened_human = opened_human + excluded.opened_human`,
  );
}

/**
 * Counts mails whose first open is a person's by hour, except those of automations, which are sent
 * at all hours. It must run before they are updated.
 */
export function countOpenHours(db: Database, visits: string) {
  return db.run(
    addOpenHours(sql`with ${visitsOf(visits)}
      select ${idText(sql`l.project_id`)}, ${bucketSql(sql`visit.open_at`, "hour")} as hour,
        ${idText(sql`l.broadcast_id`)}, count(*)
      from visits visit cross join log_entries l on l.id = visit.entry_id
      where l.opened_at is null and visit.open_at is not null and l.broadcast_id is not null
        and not exists (select 1 from broadcasts b
          where b.id = ${idText(sql`l.broadcast_id`)} and b.automation_id is not null)
        and ${classAt(sql`visit.class`, sql`visit.open_at`)} = 'human'
      group by l.project_id, hour, l.broadcast_id`),
  );
}

/**
 * Counts mails and links that get their first click, or first click of a person, among the `fresh`
 * ones of `clicks`. It must run before they are inserted.
 */
export function countClicks(db: Database, clicks: SQL) {
  const isFirst = (where: SQL) =>
    sql`not exists (select 1 from email_clicks k where k.log_id = link.log_id and ${where})`;
  const isSame = sql`k.url = link.url`;
  const isHuman = sql`k.class = 'human'`;
  return db.run(
    sql`insert into broadcast_links (project_id, broadcast_id, url, firsts, firsts_human, clicked, clicked_human)
      with ${clicks}, link as materialized (
        select project_id, broadcast_id, log_id, url, min(id) as id, min(iif(human, id, null)) as human_id from (
          select ${idText(sql`l.project_id`)} as project_id, ${idText(sql`l.broadcast_id`)} as broadcast_id,
            click.log_id, click.url, click.id, ${classAt(sql`click.class`, sql`click.at`)} = 'human' as human
          from fresh click cross join log_entries l on l.id = click.entry_id where l.broadcast_id is not null)
        group by log_id, url
      ), news as materialized (
        select project_id, broadcast_id, url,
          id = min(id) over mail and ${isFirst(sql`true`)} as first,
          human_id is not null and human_id = min(human_id) over mail and ${isFirst(isHuman)} as first_human,
          ${isFirst(isSame)} as clicked,
          human_id is not null and ${isFirst(sql`${isSame} and ${isHuman}`)} as clicked_human
        from link window mail as (partition by log_id)
      ), sums as materialized (
        select project_id, broadcast_id, url, sum(first) as firsts, sum(first_human) as firsts_human,
          sum(clicked) as clicked, sum(clicked_human) as clicked_human
        from news where clicked or clicked_human group by project_id, broadcast_id, url
      ), sizes as materialized (
        select project_id, broadcast_id, (select count(*) from broadcast_links known
            where known.project_id = sums.project_id and known.broadcast_id = sums.broadcast_id and known.url > '') as size
        from sums group by project_id, broadcast_id
      ), placed as materialized (
        select sums.*, known.url is not null as is_known, sizes.size + row_number() over (
            partition by sums.project_id, sums.broadcast_id, known.url is null order by sums.clicked desc) as place
        from sums join sizes using (project_id, broadcast_id) left join broadcast_links known
          on known.project_id = sums.project_id and known.broadcast_id = sums.broadcast_id and known.url = sums.url
      )
      select project_id, broadcast_id, iif(is_known or place <= ${sql.raw(String(LINKS_MAX))}, url, '') as kept,
        sum(firsts), sum(firsts_human), sum(clicked), sum(clicked_human)
      from placed where true group by project_id, broadcast_id, kept
      on conflict do update set firsts = firsts + excluded.firsts,
        firsts_human = firsts_human + excluded.firsts_human, clicked = clicked + excluded.clicked,
        clicked_human = clicked_human + excluded.clicked_human`,
  );
}

/** Identifies a broadcast by a mail of it. */
export interface BroadcastOfMail {
  projectId: string;
  broadcastId: string;
  logId: string;
}

/**
 * Recounts the human clicks of a broadcast. Reads its clicks, whose log ids begin with the time of
 * the broadcast.
 */
export function recountHumanClicks(
  db: Database,
  { projectId, broadcastId, logId }: BroadcastOfMail,
) {
  const time = logId.slice(0, TIME_DIGITS);
  const ofBroadcast = sql`project_id = ${projectId} and broadcast_id = ${broadcastId}`;
  return db.run(
    sql`insert into broadcast_links (project_id, broadcast_id, url, firsts_human, clicked_human)
      with link as materialized (
        select k.log_id, k.url, min(k.id) as id
        from email_clicks k cross join log_entries l on l.id = ${storedIdSql(sql`k.log_id`)}
        where k.log_id > ${time} and k.log_id < ${`${time}~`} and k.class = 'human'
          and l.project_id = ${storedId(projectId)} and l.broadcast_id = ${storedId(broadcastId)}
        group by k.log_id, k.url
      ), known as materialized (select url from broadcast_links where ${ofBroadcast}
      ), counted as (
        select iif(url in (select url from known), url, '') as kept,
          id = min(id) over (partition by log_id) as first, 1 as clicked from link
        union all select url, 0, 0 from known
      )
      select ${projectId}, ${broadcastId}, kept, sum(first), sum(clicked) from counted where true group by kept
      on conflict do update set firsts_human = excluded.firsts_human,
        clicked_human = excluded.clicked_human`,
  );
}
