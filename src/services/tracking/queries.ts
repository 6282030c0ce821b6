import { sql, type SQL } from "drizzle-orm";
import type { App } from "../../app.ts";
import type { Database } from "../../db/client.ts";
import { DAY_MS, EVER_MS, HOUR_MS } from "../../lib/durations.ts";
import { emailData } from "../log/index.ts";
import { eventStatement } from "../webhooks/index.ts";

/*
 * The statements of one batch, in this order: what moves counters and tells webhooks asks what is
 * still unset, so it runs before that is set. `visits` and `clicks` are JSON arrays of FirstVisits and
 * ClickRow.
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

/** Log ids of a batch that are not in the log. */
export function selectUnlogged(db: Database, visits: string) {
  return db.all<{ logId: string }>(
    sql`select value ->> 'logId' as "logId" from json_each(${visits})
      where not exists (select 1 from email_logs where id = value ->> 'logId')`,
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
      from json_each(${visits}) cross join email_logs l on l.id = value ->> 'logId'
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
    sql`with grains as (select 'hour' as grain, ${HOUR_MS} as length union all select 'day', ${DAY_MS})
      insert into rollups (project_id, kind, grain, bucket_at, subject, label, clicks)
      select l.project_id, 'link', grain, (value ->> 'at') - (value ->> 'at') % length as bucket,
        value ->> 'urlHash' as url_hash, value ->> 'url', count(*)
      from json_each(${clicks}) cross join email_logs l on l.id = value ->> 'logId' cross join grains
      where ${isNewClick}
      group by l.project_id, grain, bucket, url_hash
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
      from json_each(${clicks}) cross join email_logs l on l.id = value ->> 'logId'
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
 * seconds, before or after. Reads only the clicks of that time: ids begin with it.
 */
export function markBursts(db: Database, clicks: string) {
  return db.run(
    sql`with bursts as (
        select k.log_id, k.id as earlier_or_later, value ->> 'id' as id
        from json_each(${clicks}) cross join email_clicks k
          on k.log_id = value ->> 'logId' and k.id >= value ->> 'burstFromId' and k.id < value ->> 'burstUntilId'
        where k.url <> value ->> 'url'
      )
      update email_clicks set class = 'scanner' where class <> 'scanner' and (log_id, id) in
        (select log_id, earlier_or_later from bursts union select log_id, id from bursts)`,
  );
}
