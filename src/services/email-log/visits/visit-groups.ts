import { sql, type SQL } from "drizzle-orm";
import { storedIdSql } from "../stored-form.ts";

/*
 * The parameters of the statements that record visits. A batch has few distinct links and user
 * agents, and each statement parses its parameter again, so the rows are grouped by the values that
 * visits share.
 */

/**
 * The first open and the first click of one mail within a batch of visits. Times are in
 * milliseconds.
 */
export interface MailVisits {
  logId: string;
  openAt: number | null;
  ip: string | null;
  clickAt: number | null;
  /** The id of the webhook event of the open; null without webhooks. */
  eventId: string | null;
}

/** Mails whose open has the same user agent, or that have no open in the batch. */
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
  /** True for a click that is part of a burst within its batch. */
  isBurst: boolean;
  /** The id of its webhook event; null without webhooks. */
  eventId: string | null;
  /** The tag of its link, which is added to the subscriber; null without one. */
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
 * Groups are materialized: SQLite would otherwise parse a json_each column again on every read,
 * including the column with all rows of a group for each of its rows. The rows of groups are joined
 * by a comma: with a cross join they would come last, and an update would scan the whole log first.
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

/** A mail with so many recorded clicks gets no others (API reference §13.2). */
const RECORDED_MAX = 200;

/**
 * Returns the CTEs of the clicks of `groups`, a JSON array of ClickGroup: `unrecorded` has one row
 * for each click that D1 does not have yet, and `fresh` the ones among them that will be recorded.
 */
export const newClicksOf = (groups: string): SQL => sql`
  click_groups as materialized (
    select value ->> 'url' as url, value ->> 'urlHash' as url_hash, value ->> 'userAgent' as user_agent,
      value ->> 'class' as class, value -> 'clicks' as clicks
    from json_each(${groups})),
  clicks as materialized (
    select url, url_hash, user_agent, iif(value ->> 'isBurst', 'scanner', class) as class,
      value ->> 'logId' as log_id, ${storedIdSql(sql`value ->> 'logId'`)} as entry_id, value ->> 'id' as id,
      value ->> 'at' as at, value ->> 'ip' as ip, value ->> 'eventId' as event_id, value ->> 'tag' as tag
    from click_groups, json_each(clicks)),
  unrecorded as materialized (
    select * from clicks click
    where not exists (select 1 from email_clicks k where k.log_id = click.log_id and k.id = click.id)),
  full as materialized (
    select log_id from (select distinct log_id from unrecorded) mail
    where exists (select 1 from email_clicks where log_id = mail.log_id limit 1 offset ${RECORDED_MAX - 1})),
  fresh as materialized (select * from unrecorded where log_id not in (select log_id from full))`;

/** The time after a mail's acceptance within which a visit cannot be by a person. */
const SOONEST_READ_MS = 5_000;

/**
 * Returns the class by user agent, unless the visit follows `sent_at` too soon to be by a person.
 */
export const classAt = (classByUserAgent: SQL, at: SQL): SQL => sql`
  case when ${classByUserAgent} in ('human', 'unknown') and ${at} < sent_at + ${SOONEST_READ_MS}
    then 'scanner' else ${classByUserAgent} end`;
