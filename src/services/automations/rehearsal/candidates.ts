import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import type { Trigger } from "../../../lib/automation-definition.ts";
import { DAY_MS } from "../../../lib/durations.ts";
import { compileWhere } from "../../segments/index.ts";

/** The days whose events, sign-ups and confirmations stand for those of as many days from now. */
export const DAYS = 30;

/** What the query of the people who would enter depends on. */
export interface Entrance {
  projectId: string;
  trigger: Trigger;
  /** The condition of the trigger's segment; undefined if there is none. */
  segment: string | undefined;
  now: number;
  /** The only person to look at; undefined for all. */
  subscriberId: string | undefined;
}

/** The subscribers who would enter as the parts of a query, and when. */
interface Entering {
  from?: SQL;
  where: SQL;
  at?: SQL;
}

function entering({ projectId, trigger, segment, now, subscriberId }: Entrance): Entering {
  const since = now - DAYS * DAY_MS;
  if (subscriberId !== undefined) return { where: sql`subscribers.id = ${subscriberId}` };
  switch (trigger.type) {
    case "event":
      return {
        ...listed(sql`select subscriber_id, min(occurred_at) as at from events
          where project_id = ${projectId} and name = ${trigger.event} and occurred_at > ${since}
          group by subscriber_id`),
        at: again(sql`listed.at`),
      };
    case "joined":
      return {
        where: sql`subscribers.created_at > ${since} and subscribers.import_id is null`,
        at: again(sql`subscribers.created_at`),
      };
    case "confirmed":
      return {
        ...listed(sql`select subscriber_id, max(at) as at from consent_events
          where project_id = ${projectId} and action = 'confirmed' and topic_id is null
            and at > ${since} group by subscriber_id`),
        at: again(sql`listed.at`),
      };
    case "topic":
      return listed(sql`select subscriber_id from topic_consents
        where topic_id = ${trigger.topic_id} and state = 'subscribed'`);
    case "tag_added":
    case "tag_removed":
      return listed(sql`select subscriber_id from subscriber_tags
        where project_id = ${projectId} and tag = ${trigger.tag}`);
    case "segment":
      return {
        where:
          segment === undefined
            ? sql`false`
            : sql`${ON_LIST} and ${compileWhere(projectId, segment, now)}`,
      };
    case "date":
      return onDay(trigger, now);
    case "manual":
      return { where: ON_LIST };
  }
}

/** Walks and calls let in nobody who has left, while an event or a change does. */
const ON_LIST = sql`subscribers.status <> 'unsubscribed'`;

const listed = (ids: SQL) => ({
  from: sql`(${ids}) listed cross join subscribers on subscribers.id = listed.subscriber_id`,
  where: sql`true`,
});

const again = (at: SQL) => sql`${at} + ${DAYS * DAY_MS}`;

/** The people whose day is within the next 30 days. */
function onDay({ field, days = 0, yearly = false }: DateTrigger, now: number): Entering {
  const value = sql`substr(subscribers.metadata ->> ${`$.${JSON.stringify(field)}`}, 1, 10)`;
  const today = new Date(now).toISOString().slice(0, 10);
  const dayIn = (year: number) =>
    sql`date(${String(year)} || substr(${value}, 5), ${`${days} days`})`;
  const year = new Date(now).getUTCFullYear();
  const day = yearly
    ? sql`(select min(value) from json_each(json_array(${dayIn(year - 1)}, ${dayIn(year)}, ${dayIn(year + 1)})) where value >= ${today})`
    : sql`date(${value}, ${`${days} days`})`;
  const isSoon = sql`${day} between ${today} and date(${today}, ${`${DAYS} days`})`;
  return { where: sql`${ON_LIST} and ${isSoon}`, at: sql`max(${now}, unixepoch(${day}) * 1000)` };
}

type DateTrigger = Extract<Trigger, { type: "date" }>;

/** A page of those who would enter, by id. */
export interface Page {
  /** How many would enter, also beyond the sample. */
  total: number;
  people: [id: string, at: number][];
}

export const PAGE = 500;

/**
 * Reads who would enter, in pages of 500: everybody up to `most`, and above that a sample. The ids
 * end in random digits, so those with the smallest ends are a fair sample.
 */
export async function readCandidates(
  db: Database,
  entrance: Entrance,
  most: number,
): Promise<Page[]> {
  const { from, where, at = sql`${entrance.now}` } = entering(entrance);
  // A list is joined by id, and without one the index of the project serves.
  const project = from ? sql`+subscribers.project_id` : sql`subscribers.project_id`;
  const rows = await db.all<{ total: number; people: string }>(
    sql`select total, json_group_array(json_array(id, at)) as people from (
        select id, at, total, cast((row_number() over (order by id) - 1) / ${PAGE} as integer) as page from (
          select subscribers.id, ${at} as at, count(*) over () as total,
            row_number() over (order by substr(subscribers.id, -12)) as n
          from ${from ?? sql`subscribers`} where ${project} = ${entrance.projectId} and ${where})
        where n <= ${most})
      group by page order by page`,
  );
  return rows.map(({ total, people }) => {
    const found = JSON.parse(people) as Page["people"]; // the statement builds it
    return { total, people: found.toSorted(([one], [other]) => (one < other ? -1 : 1)) };
  });
}
