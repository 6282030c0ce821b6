import { sql, type SQL } from "drizzle-orm";
import { storedIdSql } from "../stored-form.ts";

/* The parameters of the statements that record visits. Times are in milliseconds. */

/** The first open and the first click of one mail within a batch of visits. */
export interface VisitRow {
  logId: string;
  openAt: number | null;
  userAgent: string | null;
  class: string | null;
  ip: string | null;
  clickAt: number | null;
  /** The id of the webhook event of the open; null without webhooks. */
  eventId: string | null;
}

/** A click. The hash is the SHA-256 of the URL. */
export interface ClickRow {
  logId: string;
  id: string;
  at: number;
  url: string;
  urlHash: string;
  userAgent: string;
  class: string;
  ip: string;
  /** The id of its webhook event; null without webhooks. */
  eventId: string | null;
  /** The tag of its link, which is added to the subscriber; null without one. */
  tag: string | null;
}

/** Returns the CTE `visits` with the rows of a JSON array of VisitRow. */
export const visitsOf = (rows: string): SQL => sql`visits as (
    select ${storedIdSql(sql`value ->> 'logId'`)} as entry_id, value ->> 'openAt' as open_at,
      value ->> 'userAgent' as user_agent, value ->> 'class' as class, value ->> 'ip' as ip,
      value ->> 'clickAt' as click_at, value ->> 'eventId' as event_id
    from json_each(${rows}))`;

/** A mail with so many recorded clicks gets no others (API reference §13.2). */
const RECORDED_MAX = 200;

/**
 * Returns the CTEs of a JSON array of ClickRow: `unrecorded` has the clicks that D1 does not have
 * yet, and `fresh` the ones among them that will be recorded.
 */
export const newClicksOf = (rows: string): SQL => sql`
  clicks as materialized (
    select value ->> 'logId' as log_id, ${storedIdSql(sql`value ->> 'logId'`)} as entry_id,
      value ->> 'id' as id, value ->> 'at' as at, value ->> 'url' as url, value ->> 'urlHash' as url_hash,
      value ->> 'userAgent' as user_agent, value ->> 'class' as class, value ->> 'ip' as ip,
      value ->> 'eventId' as event_id, value ->> 'tag' as tag
    from json_each(${rows})),
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
