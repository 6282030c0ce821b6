import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { eventBytes } from "../storage/index.ts";

/** The number of days for which events are kept. */
export const KEPT_DAYS = 90;

/** The bytes of the events that the last write stored; their numbers are consecutive. */
export const LAST_BYTES: SQL = sql`(select sum(${eventBytes()}) from events
  where seq > (select max(seq) from events) - changes())`;

/**
 * Returns rows of an export as they are stored again: those still kept, with a number of their own,
 * and none received later than now, because a removal ends at the first event to keep.
 */
export const keptEvents = (rows: Record<string, unknown>[], now: number) =>
  rows
    .filter((row) => Number(row["received_at"]) >= now - KEPT_DAYS * DAY_MS)
    .map((row) => ({ ...row, seq: null, received_at: Math.min(Number(row["received_at"]), now) }));

/**
 * Stores the events of subscribers of the project, in their order, if `when` holds. `rows` is a JSON
 * list of `{name, subscriberId or email, data, at}`. Returns a row for each event stored.
 */
export function insertEvents(
  db: Database,
  projectId: string,
  rows: string,
  now: number,
  when: SQL,
) {
  return db.all<{ seq: number }>(
    sql`insert into events (project_id, subscriber_id, name, data, occurred_at, received_at)
      select s.project_id, s.id, e.value ->> 'name', e.value -> 'data', e.value ->> 'at', ${now}
      from json_each(${rows}) e
      cross join subscribers s on s.id = coalesce(e.value ->> 'subscriberId', (
        select id from subscribers where project_id = ${projectId} and email = e.value ->> 'email'))
      where +s.project_id = ${projectId} and ${when}
      returning seq`,
  );
}

/** Returns the condition of `insertEvents` that the person has no event with the same contents. */
export const isNew = (projectId: string): SQL =>
  sql`not exists (select 1 from events known where known.project_id = ${projectId}
    and known.subscriber_id = s.id and known.name = e.value ->> 'name'
    and known.occurred_at = e.value ->> 'at' and known.data = e.value -> 'data')`;

/** Selects a row if the sender of a project has runs or pending mails that are due. */
export const hasDueWork = (db: Database, projectId: string, now: number) =>
  db.all(
    sql`select 1 from automations a where a.state = 'active' and a.project_id = ${projectId}
        and exists (select 1 from automation_runs r where r.automation_id = a.id and r.due_at <= ${now})
      union all select 1 from pending_mails where project_id = ${projectId} and due_at <= ${now}
      limit 1`,
  );
