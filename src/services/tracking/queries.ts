import { sql, type SQL } from "drizzle-orm";
import type { App } from "../../app.ts";
import type { Database } from "../../db/client.ts";
import { DAY_MS, EVER_MS, HOUR_MS } from "../../lib/durations.ts";
import { emailData } from "../log/index.ts";
import { eventStatement } from "../webhooks/index.ts";
import { BURST_MS } from "./click-bursts.ts";

/*
 * A read that leaves out what changes nothing, and then the statements of one batch, in this order:
 * what moves counters and tells webhooks asks what is still unset, so it runs before that is set.
 * `visits`, `clicks` and `spans` are JSON arrays of FirstVisits, ClickRow and BurstSpan.
 */

/** Nobody reads a mail this soon after it was accepted for delivery. */
const SOONEST_READ_MS = 5_000;

/** Mails of a batch whose first open or click this is; `opened` and `clicked` are 1 or 0. */
const firsts = (visits: string) => sql`
  select l.project_id, l.sent_at, value ->> 'openAt' as open_at,
    l.opened_at is null and value ->> 'openAt' is not null as opened,
    l.clicked_at is null and value ->> 'clickAt' is not null as clicked
  from json_each(${visits}) cross join email_logs l on l.id = value ->> 'logId'`;

/** The class a user agent gave, unless it is too soon after `sent_at` for the person it claims to be. */
const classAt = (classByUserAgent: SQL, at: SQL) => sql`
  case when ${classByUserAgent} in ('human', 'unknown') and ${at} < sent_at + ${SOONEST_READ_MS}
    then 'scanner' else ${classByUserAgent} end`;

/** Rows for a statement that tells webhooks: none when nobody has any. */
const told = (rows: string) => sql`json_each(iif(exists (select 1 from webhooks), ${rows}, '[]'))`;

/** Of a JSON array of log ids, those without a first open or click; `logged` is 0 where there is no such mail. */
export function selectUnvisited(db: Database, visit: "opened_at" | "clicked_at", logIds: string[]) {
  return db.all<{ logId: string; logged: number }>(
    sql`select value as "logId", l.id is not null as logged
      from json_each(${JSON.stringify(logIds)}) left join email_logs l on l.id = value
      where l.${sql.raw(visit)} is null`,
  );
}

/**
 * Counts mails opened and clicked for the first time: in the totals and in the hour and day their
 * mail was sent, and opens also in the hour and day they happened.
 */
export function moveTotals(db: Database, visits: string) {
  return db.run(
    sql`with firsts as (${firsts(visits)}), moves as (
        select project_id, sent_at as at, opened, clicked, 0 as opens from firsts where opened or clicked
        union all
        select project_id, open_at as at, 0 as opened, 0 as clicked, 1 as opens from firsts where opened
      ), grains as (
        select 'all' as grain, ${EVER_MS} as length union all select 'hour', ${HOUR_MS} union all select 'day', ${DAY_MS})
      insert into rollups (project_id, kind, grain, bucket_at, opened, clicked, opens)
      select project_id, 'log', grain, at - at % length as bucket, sum(opened), sum(clicked), sum(opens)
      from moves cross join grains where true group by project_id, grain, bucket
      on conflict do update set opened = opened + excluded.opened,
        clicked = clicked + excluded.clicked, opens = opens + excluded.opens`,
  );
}

/** Tells webhooks of mails opened for the first time. */
export function emitOpens(app: App, visits: string) {
  return eventStatement(
    app,
    sql`select value ->> 'eventId' as id, 'email.opened' as type, l.project_id, value ->> 'openAt' as at,
        ${emailData(sql`l.to_email`)} as data
      from ${told(visits)} cross join email_logs l on l.id = value ->> 'logId'
      where l.opened_at is null and value ->> 'openAt' is not null`,
  );
}

/** Sets the first open and the first click of mails that have none. */
export function setFirstVisits(db: Database, visits: string) {
  const isFirst = sql`opened_at is null and visit.open_at is not null`;
  const once = (column: string, value: SQL) => {
    const name = sql.raw(column);
    return sql`${name} = case when ${isFirst} then ${value} else ${name} end`;
  };
  return db.run(
    sql`update email_logs set clicked_at = coalesce(clicked_at, visit.click_at),
        ${once("opened_class", classAt(sql`visit.class`, sql`visit.open_at`))},
        ${once("opened_user_agent", sql`visit.user_agent`)},
        ${once("opened_ip", sql`visit.ip`)},
        opened_at = coalesce(opened_at, visit.open_at)
      from (select value ->> 'logId' as log_id, value ->> 'openAt' as open_at, value ->> 'openClass' as class,
          value ->> 'openUserAgent' as user_agent, value ->> 'openIp' as ip, value ->> 'clickAt' as click_at
        from json_each(${visits})) as visit
      where email_logs.id = visit.log_id
        and (${isFirst} or (clicked_at is null and visit.click_at is not null))`,
  );
}

/** Of a click `value` and its mail `l`: it is not recorded yet. */
const isNewClick = sql`not exists (
  select 1 from email_clicks where log_id = l.id and email_clicks.id = value ->> 'id')`;

/** Counts clicks that are not recorded yet by link, hour and day; what "top clicked links" reads. */
export function countLinkClicks(db: Database, clicks: string) {
  return db.run(
    sql`with grains as (select 'hour' as grain, ${HOUR_MS} as length union all select 'day', ${DAY_MS}),
      fresh as materialized (
        select l.project_id, value ->> 'at' as at, value ->> 'urlHash' as url_hash, value ->> 'url' as url
        from json_each(${clicks}) cross join email_logs l on l.id = value ->> 'logId'
        where ${isNewClick})
      insert into rollups (project_id, kind, grain, bucket_at, subject, label, clicks)
      select project_id, 'link', grain, at - at % length as bucket, url_hash, url, count(*)
      from fresh cross join grains
      where true group by project_id, grain, bucket, url_hash
      on conflict do update set clicks = clicks + excluded.clicks`,
  );
}

/** Tells webhooks of clicks that are not recorded yet. */
export function emitClicks(app: App, clicks: string) {
  const click = {
    url: sql`value -> 'url'`,
    user_agent: sql`value -> 'userAgent'`,
    ip: sql`value -> 'ipAddress'`,
  };
  return eventStatement(
    app,
    sql`select value ->> 'eventId' as id, 'email.clicked' as type, l.project_id, value ->> 'at' as at,
        ${emailData(sql`l.to_email`, click)} as data
      from ${told(clicks)} cross join email_logs l on l.id = value ->> 'logId'
      where ${isNewClick}`,
  );
}

/** Records clicks of mails that are in the log, each once. */
export function insertClicks(db: Database, clicks: string) {
  return db.run(
    sql`insert into email_clicks (log_id, id, url, user_agent, ip_address, class, clicked_at)
      select l.id, value ->> 'id', value ->> 'url', value ->> 'userAgent', value ->> 'ipAddress',
        ${classAt(sql`value ->> 'class'`, sql`value ->> 'at'`)}, value ->> 'at'
      from json_each(${clicks}) cross join email_logs l on l.id = value ->> 'logId'
      where true on conflict (log_id, id) do nothing`,
  );
}

/**
 * Marks recorded clicks as a scanner's when another link of the same mail was visited within two
 * seconds, before or after. Reads the clicks of each span, found by their ids, which begin with their time:
 * once when all are on one link, however hard that is hammered.
 */
export function markBursts(db: Database, spans: string) {
  const ofSpan = sql`log_id = span.log_id and id >= span.from_id and id < span.until_id`;
  const burst = sql.raw(String(BURST_MS));
  return db.run(
    sql`with spans as (
        select value ->> 'logId' as log_id, value ->> 'fromId' as from_id, value ->> 'untilId' as until_id
        from json_each(${spans}))
      update email_clicks set class = 'scanner' where (log_id, id) in (
        select log_id, id from (
          select k.log_id, k.id, k.class, min(k.url) over around <> max(k.url) over around as hurried
          from spans span cross join email_clicks k
            on k.log_id = span.log_id and k.id >= span.from_id and k.id < span.until_id
          where (select min(url) <> max(url) from email_clicks where ${ofSpan})
          window around as (partition by k.log_id order by k.clicked_at
            range between ${burst} preceding and ${burst} following))
        where hurried and class <> 'scanner')`,
  );
}
