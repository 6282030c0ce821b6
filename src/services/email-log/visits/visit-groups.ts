import { sql, type SQL } from "drizzle-orm";
import { storedIdSql } from "../stored-form.ts";

/*
 * The parameters of the statements that record visits. A batch has few links and few user agents,
 * and each statement parses its parameter anew. So the rows name the facts that visits share only
 * once.
 */

/**
 * The first open and the first click of one mail, as far as a batch of visits knows them. Times are
 * in milliseconds.
 */
export interface MailVisits {
  logId: string;
  openAt: number | null;
  ip: string | null;
  clickAt: number | null;
  /** The id of the webhook event of the open; null without webhooks. */
  eventId: string | null;
}

/** Mails whose open had one user agent, or that have no open in the batch. */
export interface VisitGroup {
  userAgent: string | null;
  class: string | null;
  mails: MailVisits[];
}

/** A click. Its time is in milliseconds. */
export interface ClickRow {
  logId: string;
  id: string;
  at: number;
  ip: string;
  /** True for a click in a burst within its batch. */
  isBurst: boolean;
  /** The id of its webhook event; null without webhooks. */
  eventId: string | null;
  /** 1 for the first click of its mail in the batch. */
  place: number;
  /** The tag of its link, which the subscriber gets; null without one. */
  tag: string | null;
}

/** Clicks on one link with one user agent; the hash is the SHA-256 of the URL. */
export interface ClickGroup {
  url: string;
  urlHash: string;
  userAgent: string;
  class: string;
  clicks: ClickRow[];
}

/*
 * Groups are materialized: SQLite makes a column of json_each anew for each read, and would make
 * that of a group, which holds all its rows, for each of them. A comma joins the rows of groups: after a cross join
 * they would come last, and an update would read the whole log before them.
 */

/** Returns the CTE `visits` with one row for each mail of `groups`, a JSON array of VisitGroup. */
export const visitsOf = (groups: string): SQL => sql`
  visit_groups as materialized (
    select value ->> 'userAgent' as user_agent, value ->> 'class' as class, value -> 'mails' as mails
    from json_each(${groups})),
  visits as (
    select user_agent, class, ${storedIdSql(sql`value ->> 'logId'`)} as entry_id, value ->> 'openAt' as open_at, value ->> 'ip' as ip,
      value ->> 'clickAt' as click_at, value ->> 'eventId' as event_id
    from visit_groups, json_each(mails))`;

/** Returns the CTE `clicks` with one row for each click of `groups`, a JSON array of ClickGroup. */
export const clicksOf = (groups: string): SQL => sql`
  click_groups as materialized (
    select value ->> 'url' as url, value ->> 'urlHash' as url_hash, value ->> 'userAgent' as user_agent,
      value ->> 'class' as class, value -> 'clicks' as clicks
    from json_each(${groups})),
  clicks as materialized (
    select url, url_hash, user_agent, iif(value ->> 'isBurst', 'scanner', class) as class,
      value ->> 'logId' as log_id, ${storedIdSql(sql`value ->> 'logId'`)} as entry_id, value ->> 'id' as id,
      value ->> 'at' as at, value ->> 'ip' as ip, value ->> 'eventId' as event_id,
      value ->> 'place' as place, value ->> 'tag' as tag
    from click_groups, json_each(clicks))`;

/** Returns the CTEs `clicks` and `mails`: the mails of the clicks, with up to `most` recorded clicks. */
export const clicksAndMails = (groups: string, most: number): SQL => sql`${clicksOf(groups)},
  mails as materialized (
    select log_id, (select count(*) from (
        select 1 from email_clicks where log_id = mail.log_id limit ${most})) as recorded
    from (select distinct log_id from clicks) mail)`;

/** The time after acceptance of a mail within which no person reads it. */
const SOONEST_READ_MS = 5_000;

/**
 * Returns the class by user agent, unless the visit is too soon after `sent_at` for the claimed
 * person.
 */
export const classAt = (classByUserAgent: SQL, at: SQL): SQL => sql`
  case when ${classByUserAgent} in ('human', 'unknown') and ${at} < sent_at + ${SOONEST_READ_MS}
    then 'scanner' else ${classByUserAgent} end`;
