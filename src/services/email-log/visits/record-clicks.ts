import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../../db/client.ts";
import type { Deps } from "../../../deps.ts";
import { outlivesAddresses } from "../../projects/index.ts";
import { DAY_MS } from "../../../lib/durations.ts";
import { eventStatement } from "../../webhooks/index.ts";
import { emailData } from "../email-events.ts";
import { addSelected } from "../rollups/add-to-rollups.ts";
import { bucketSql } from "../rollups/grains.ts";
import { idText, idTime } from "../stored-form.ts";
import { noteHumanClicks } from "./note-clicks.ts";
import { countClicks, uncountBursts } from "./count-in-broadcasts.ts";
import { classAt, clicksAndMails, clicksOf, type ClickGroup } from "./visit-groups.ts";

/** The range of ids of all clicks of one mail that may form a burst with clicks of a batch. */
export interface BurstSpan {
  logId: string;
  /** Inclusive. */
  fromId: string;
  /** Exclusive. */
  untilId: string;
}

/**
 * The limits on recorded clicks, and whether the batch contains mails of broadcasts and mails to
 * subscribers.
 */
export interface ClickLimits {
  hasBroadcasts: boolean;
  hasSubscribers: boolean;
  /** The maximum number of recorded clicks per mail, and of clicks that a write reads. */
  ofMail: number;
  /** The gap below which visits of different links of one mail count as automated. */
  burstMs: number;
}

/**
 * Returns the statements that record clicks of logged mails, each once and up to the limit; count
 * all of them by link; notify webhooks of the recorded clicks that have an event id; mark bursts
 * around them; and record human clicks on the subscribers. The statements that count and notify
 * check for missing clicks, so they run before the insert.
 */
export function recordClicks(
  deps: Deps,
  groups: ClickGroup[],
  spans: BurstSpan[],
  limits: ClickLimits,
): Statement[] {
  if (groups.length === 0) return [];
  const { hasBroadcasts, hasSubscribers } = limits;
  const clicks = JSON.stringify(groups);
  const known = clicksAndMails(clicks, limits.ofMail);
  const hasRoom = sql`click.place + (select recorded from mails where log_id = click.log_id) <= ${limits.ofMail}`;
  const isNew = sql`${hasRoom} and ${IS_MISSING}`;
  const bursts = burstsIn(JSON.stringify(spans), limits);
  const isHeard = groups.some((group) => group.clicks.some(({ eventId }) => eventId !== null));
  return [
    countByLink(deps.db, clicks),
    ...(isHeard ? [emitClicks(deps, known, isNew)] : []),
    ...(hasBroadcasts ? [countClicks(deps.db, known, isNew)] : []),
    insertClicks(deps, known, isNew),
    ...(hasBroadcasts ? [uncountBursts(deps.db, bursts)] : []),
    markBursts(deps.db, bursts),
    ...(hasSubscribers ? noteHumanClicks(deps, groups, clicks) : []),
  ];
}

/** A condition on a click: it is not recorded in D1 yet. */
const IS_MISSING = sql`not exists (
  select 1 from email_clicks where log_id = click.log_id and email_clicks.id = click.id)`;

/** Counts clicks by link, hour and day, for "top clicked links". */
function countByLink(db: Database, clicks: string) {
  return addSelected(
    db,
    ["link"],
    ["clicks"],
    sql`with ${clicksOf(clicks)}, hourly as (
        select ${idText(sql`l.project_id`)} as project_id, ${bucketSql(sql`click.at`, "hour")} as hour, click.url_hash, click.url, count(*) as n
        from clicks click cross join log_entries l on l.id = click.entry_id
        where ${IS_MISSING} group by l.project_id, hour, click.url_hash)
      select project_id, 'link' as kind, url_hash as subject, url as label, hour as at, n as clicks from hourly`,
  );
}

/**
 * Notifies webhooks of clicks. The event omits the IP address if the click is stored without it,
 * and always if the project's retention is 0 days, because a sent event cannot be recalled.
 */
function emitClicks(deps: Deps, known: SQL, isNew: SQL) {
  const click = {
    url: sql`click.url`,
    user_agent: sql`click.user_agent`,
    ip: sql`click.ip`,
  };
  const data = emailData(sql`l.to_email`, click);
  return eventStatement(
    deps,
    sql`with ${known}
      select click.event_id as id, 'email.clicked' as type, ${idText(sql`l.project_id`)} as project_id, click.at,
        iif(${isLate(deps.now(), 0)}, json_remove(${data}, '$.ip'), ${data}) as data
      from clicks click cross join log_entries l on l.id = click.entry_id
      where ${isNew} and l.to_email <> ''`,
  );
}

/** Returns the stored value of a click; empty if the recipient of its mail `l` is erased. */
const unlessErased = (value: SQL): SQL => sql`iif(l.to_email = '', '', ${value})`;

/**
 * Returns a condition on a click: its mail or the click itself is older than the project's IP
 * retention, and than a day, so that most clicks need no read of the project. Such a click is
 * stored without an address, so the cleanup job (empty-addresses.ts) need not rescan old mails. The
 * age comes from the mail's id, which in a broadcast contains the start time.
 */
function isLate(now: number, leastMs = DAY_MS): SQL {
  const madeAt = sql`coalesce(min(l.sent_at, ${idTime(sql`l.id`)}), l.sent_at)`;
  const age = sql`max(click.at - ${madeAt}, ${now} - click.at)`;
  return outlivesAddresses(age, idText(sql`l.project_id`), leastMs);
}

function insertClicks({ db, now }: Deps, known: SQL, isNew: SQL) {
  return db.run(
    sql`with ${known}
      insert into email_clicks (log_id, id, url, user_agent, ip_address, class, clicked_at)
      select click.log_id, click.id, ${unlessErased(sql`click.url`)}, ${unlessErased(sql`click.user_agent`)},
        ${unlessErased(sql`iif(${isLate(now())}, '', click.ip)`)}, ${classAt(sql`click.class`, sql`click.at`)}, click.at
      from clicks click cross join log_entries l on l.id = click.entry_id
      where ${isNew} on conflict (log_id, id) do nothing`,
  );
}

/**
 * Returns the CTE `hurried` of the recorded clicks that are not yet marked as a scanner's although
 * another link of the same mail was visited within two seconds before or after. It finds the clicks
 * of each span by their ids, which begin with their time. If all are on one link, it reads each
 * click once, regardless of their number.
 */
function burstsIn(spans: string, { burstMs }: ClickLimits): SQL {
  const ofSpan = sql`log_id = span.log_id and id >= span.from_id and id < span.until_id`;
  const burst = sql.raw(String(burstMs));
  return sql`spans as (
      select value ->> 'logId' as log_id, value ->> 'fromId' as from_id, value ->> 'untilId' as until_id
      from json_each(${spans})
    ), hurried as materialized (
      select log_id, id, url, class from (
        select k.log_id, k.id, k.url, k.class, min(k.url) over around <> max(k.url) over around as is_hurried
        from spans span cross join email_clicks k
          on k.log_id = span.log_id and k.id >= span.from_id and k.id < span.until_id
        where (select min(url) <> max(url) from email_clicks where ${ofSpan})
        window around as (partition by k.log_id order by k.clicked_at
          range between ${burst} preceding and ${burst} following))
      where is_hurried and class <> 'scanner')`;
}

/** Marks clicks in a burst as a scanner's. */
function markBursts(db: Database, bursts: SQL) {
  return db.run(
    sql`with ${bursts}
      update email_clicks set class = 'scanner' where (log_id, id) in (select log_id, id from hurried)`,
  );
}
