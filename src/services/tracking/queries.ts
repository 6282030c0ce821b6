import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database } from "../../db/client.ts";
import { DAY_MS, EVER_MS, HOUR_MS } from "../../lib/durations.ts";
import { emailData } from "../email-log/index.ts";
import { eventStatement } from "../webhooks/index.ts";
import { BURST_MS } from "./click-bursts.ts";
import { MAX_OF_LINK, MAX_OF_MAIL } from "./click-cap.ts";

/*
 * The queries of tracking: a read that drops events without effect, then the statements of one
 * batch, in this order. Those that move counters and notify webhooks test for unset values, so they
 * run before the values are set. `visits`, `clicks` and `spans` are JSON arrays of VisitGroup,
 * ClickGroup and BurstSpan.
 */

/** The time after acceptance of a mail within which no person reads it. */
const SOONEST_READ_MS = 5_000;

/*
 * Groups are materialized: SQLite makes a column of json_each anew for each read, and would make
 * that of a group, which holds all its rows, for each of them. A comma joins their rows: after a
 * cross join they would come last, and an update would read the whole log before them.
 */

/** Returns one row for each mail of `visits`; `event_id` is null without webhooks. */
const visitsOf = (visits: string) => sql`
  visit_groups as materialized (
    select value ->> 0 as user_agent, value ->> 1 as class, value -> 2 as mails from json_each(${visits})),
  visits as (
    select user_agent, class, value ->> 0 as log_id, value ->> 1 as open_at, value ->> 2 as ip,
      value ->> 3 as click_at, value ->> 4 as event_id
    from visit_groups, json_each(mails))`;

/** Returns one row for each of `clicks`; `event_id` is null without webhooks. */
const clicksOf = (clicks: string) => sql`
  click_groups as materialized (
    select value ->> 0 as url, value ->> 1 as url_hash, value ->> 2 as user_agent, value ->> 3 as class,
      value -> 4 as clicks
    from json_each(${clicks})),
  clicks as (
    select url, url_hash, user_agent, iif(value ->> 4, 'scanner', class) as class, value ->> 0 as log_id,
      value ->> 1 as id, value ->> 2 as at, value ->> 3 as ip, value ->> 5 as event_id,
      value ->> 6 as place, value ->> 7 as hour_id, value ->> 8 as next_hour_id
    from click_groups, json_each(clicks))`;

/**
 * Returns the class by user agent, unless the visit is too soon after `sent_at` for the claimed
 * person.
 */
const classAt = (classByUserAgent: SQL, at: SQL) => sql`
  case when ${classByUserAgent} in ('human', 'unknown') and ${at} < sent_at + ${SOONEST_READ_MS}
    then 'scanner' else ${classByUserAgent} end`;

/**
 * A row of `selectBefore`. `what` is the visit that a mail lacks, and `logged` is 0 if there is no
 * such mail; or it is a recorded click with this id; or a webhook.
 */
export type BeforeRow = {
  what: "open" | "click" | "recorded" | "webhook";
  logId: string;
  logged: number;
};

/**
 * Selects the given mails without a first open, the given mails without a first click, the recorded
 * ones of the given clicks (pairs of log id and id), and whether anybody has an active webhook.
 */
export function selectBefore(
  db: Database,
  opened: string[],
  clicked: string[],
  clicks: [logId: string, id: string][],
) {
  const unvisited = (what: BeforeRow["what"], column: "opened_at" | "clicked_at", ids: string[]) =>
    sql`select ${what} as what, value as "logId", l.id is not null as logged
      from json_each(${JSON.stringify(ids)}) left join email_logs l on l.id = value
      where l.${sql.raw(column)} is null`;
  return db.all<BeforeRow>(
    sql`${unvisited("open", "opened_at", opened)}
      union all ${unvisited("click", "clicked_at", clicked)}
      union all select 'recorded', k.id, 1 from json_each(${JSON.stringify(clicks)}) cross join email_clicks k
        on k.log_id = value ->> 0 and k.id = value ->> 1
      union all select 'webhook', '', 0 where exists (select 1 from webhooks where active)`,
  );
}

/**
 * Counts first opens and first clicks of mails in the totals and in the hour and day of their mail;
 * opens also count in the hour and day of the open.
 */
export function moveTotals(db: Database, visits: string) {
  return db.run(
    sql`with ${visitsOf(visits)}, firsts as materialized (
        select l.project_id, l.sent_at, visit.open_at,
          l.opened_at is null and visit.open_at is not null as opened,
          l.clicked_at is null and visit.click_at is not null as clicked
        from visits visit cross join email_logs l on l.id = visit.log_id), moves as (
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

/** Notifies webhooks of first opens. */
export function emitOpens(deps: Deps, visits: string) {
  return eventStatement(
    deps,
    sql`with ${visitsOf(visits)}
      select visit.event_id as id, 'email.opened' as type, l.project_id, visit.open_at as at,
        ${emailData(sql`l.to_email`)} as data
      from visits visit cross join email_logs l on l.id = visit.log_id
      where l.opened_at is null and visit.open_at is not null`,
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
    sql`with ${visitsOf(visits)}
      update email_logs set clicked_at = coalesce(clicked_at, visit.click_at),
        ${once("opened_class", classAt(sql`visit.class`, sql`visit.open_at`))},
        ${once("opened_user_agent", sql`visit.user_agent`)},
        ${once("opened_ip", sql`visit.ip`)},
        opened_at = coalesce(opened_at, visit.open_at)
      from visits visit
      where email_logs.id = visit.log_id
        and (${isFirst} or (clicked_at is null and visit.click_at is not null))`,
  );
}

/**
 * A condition on a click and its mail `l`: D1 has not recorded it yet, and there is room for it and
 * those before it in the batch among the clicks of its link, its mail and its hour. Their ids find
 * those clicks.
 */
const isNewClick = sql`(
  select count(*) < ${MAX_OF_MAIL} and total(id = click.id) = 0
    and total(url = click.url) + click.place <= ${MAX_OF_LINK}
  from (select id, url from email_clicks where log_id = l.id and email_clicks.id >= click.hour_id
    and email_clicks.id < click.next_hour_id limit ${MAX_OF_MAIL}))`;

/**
 * Counts clicks by link, hour and day before their insert; "top clicked links" reads these counts.
 */
export function countLinkClicks(db: Database, clicks: string) {
  return db.run(
    sql`with grains as (select 'hour' as grain, ${HOUR_MS} as length union all select 'day', ${DAY_MS}),
      ${clicksOf(clicks)}, hourly as (
        select l.project_id, click.at - click.at % ${HOUR_MS} as hour, click.url_hash, click.url, count(*) as n
        from clicks click cross join email_logs l on l.id = click.log_id
        where ${isNewClick} group by l.project_id, hour, click.url_hash)
      insert into rollups (project_id, kind, grain, bucket_at, subject, label, clicks)
      select project_id, 'link', grain, hour - hour % length as bucket, url_hash, url, sum(n)
      from hourly cross join grains
      where true group by project_id, grain, bucket, url_hash
      on conflict do update set clicks = clicks + excluded.clicks`,
  );
}

/** Notifies webhooks of clicks before their insert. */
export function emitClicks(deps: Deps, clicks: string) {
  const click = {
    url: sql`click.url`,
    user_agent: sql`click.user_agent`,
    ip: sql`click.ip`,
  };
  return eventStatement(
    deps,
    sql`with ${clicksOf(clicks)}
      select click.event_id as id, 'email.clicked' as type, l.project_id, click.at,
        ${emailData(sql`l.to_email`, click)} as data
      from clicks click cross join email_logs l on l.id = click.log_id
      where ${isNewClick}`,
  );
}

/** Records clicks of mails that are in the log, each once, as far as there is room for them. */
export function insertClicks(db: Database, clicks: string) {
  return db.run(
    sql`with ${clicksOf(clicks)}
      insert into email_clicks (log_id, id, url, user_agent, ip_address, class, clicked_at)
      select l.id, click.id, click.url, click.user_agent, click.ip, ${classAt(sql`click.class`, sql`click.at`)}, click.at
      from clicks click cross join email_logs l on l.id = click.log_id
      where ${isNewClick} on conflict (log_id, id) do nothing`,
  );
}

/**
 * Marks recorded clicks as a scanner's when a visit of another link of the same mail is within two
 * seconds, before or after. It finds the clicks of each span by their ids, which begin with their
 * time. It reads them once when all are on one link, however many there are.
 */
export function markBursts(db: Database, spans: string) {
  const ofSpan = sql`log_id = span.log_id and id >= span.from_id and id < span.until_id`;
  const burst = sql.raw(String(BURST_MS));
  return db.run(
    sql`with spans as (
        select value ->> 0 as log_id, value ->> 1 as from_id, value ->> 2 as until_id
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
