import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import type { Message } from "../../messages/message.ts";

/** The number of broadcasts with which a draft is compared: the newest, and the scheduled ones. */
const COMPARED = 200;

/** A broadcast that is a reason to hold back a draft: it is similar, or auto-paused. */
export interface OtherBroadcast {
  id: string;
  subject: string;
  beginsAt: number;
  /** JSON: why it is auto-paused; null for a similar one. */
  reasons: string | null;
}

/** A draft with the attributes by which broadcasts are compared. */
export interface Compared {
  id: string;
  projectId: string;
  subjects: string[];
  htmlBodies: string[];
  /** The time at which the draft would begin. */
  beginsAt: number;
}

/**
 * Selects the auto-paused broadcasts, and those with one of these subjects or HTML parts that begin
 * within a day before or after the draft; the newest first.
 */
export function selectOthers(db: Database, draft: Compared) {
  const { id, projectId, subjects, htmlBodies, beginsAt } = draft;
  const near = sql`between ${beginsAt - DAY_MS} and ${beginsAt + DAY_MS}`;
  const isAlike = sql`(lower(trim(subject)) in (select lower(trim(value)) from json_each(${JSON.stringify(subjects)}))
    or html_body <> '' and html_body in (select value from json_each(${JSON.stringify(htmlBodies)})))`;
  return db.all<OtherBroadcast>(
    sql`with others as (
      select * from (select id, subject, html_body, state, reasons, created_at as begins_at from broadcasts
        where project_id = ${projectId} and kind = 'broadcast' order by id desc limit ${COMPARED})
      union all
      select * from (select id, subject, html_body, state, null, plan_due_at from broadcasts indexed by broadcasts_by_state
        where state = 'scheduled' and plan_due_at ${near} and project_id = ${projectId} and id <> ${id} limit ${COMPARED}))
      select id, subject, begins_at as "beginsAt", null as reasons from others
        where begins_at ${near} and state <> 'cancelled' and ${isAlike}
      union all
      select id, subject, begins_at, reasons from others where state = 'paused' and reasons is not null
      order by "beginsAt" desc`,
  );
}

export const reasonsOf = ({ reasons }: OtherBroadcast): Message[] =>
  JSON.parse(reasons ?? "[]") as Message[]; // written by the service
