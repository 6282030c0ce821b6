import { desc, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { broadcasts } from "../../db/schema/index.ts";
import { DAY_MS } from "../../lib/durations.ts";

/** The number of newest broadcasts that a draft is compared with. */
const COMPARED = 200;

/** A broadcast that may be a reason to hold back a draft. */
export interface PastBroadcast {
  id: string;
  subject: string;
  /** The start, or the scheduled time. */
  createdAt: number;
  isScheduled: number;
}

const newest = (projectId: string) =>
  sql`(select id, subject, html_body, state, created_at from broadcasts
    where project_id = ${projectId} and kind = 'broadcast' order by id desc limit ${COMPARED})`;

/** A draft with the attributes by which broadcasts are compared. */
export interface Compared {
  id: string;
  projectId: string;
  subjects: string[];
  htmlBodies: string[];
  /** The time since which started broadcasts count. */
  since: number;
  /** The time at which the draft would begin. */
  beginsAt: number;
}

/** The other broadcasts scheduled within a day before or after a draft. */
const scheduledNear = ({ id, projectId, beginsAt }: Compared) =>
  sql`select id, subject, html_body, state, plan_due_at as created_at from broadcasts indexed by broadcasts_by_state
    where state = 'scheduled' and plan_due_at between ${beginsAt - DAY_MS} and ${beginsAt + DAY_MS}
      and project_id = ${projectId} and id <> ${id} limit ${COMPARED}`;

/**
 * Selects a broadcast with one of these subjects or HTML parts that has started since a time, or is
 * scheduled near the draft: at most one row.
 */
export function selectSimilar(db: Database, compared: Compared) {
  const { projectId, subjects, htmlBodies, since } = compared;
  return db.all<PastBroadcast>(
    sql`select id, subject, created_at as "createdAt", state = 'scheduled' as "isScheduled"
      from (select * from ${newest(projectId)} union all select * from (${scheduledNear(compared)}))
      where created_at >= ${since} and state <> 'cancelled' and (
        lower(trim(subject)) in (select lower(trim(value)) from json_each(${JSON.stringify(subjects)}))
        or (html_body <> '' and html_body in (select value from json_each(${JSON.stringify(htmlBodies)}))))
      order by created_at desc limit 1`,
  );
}

/** Selects an auto-paused broadcast: at most one row. */
export function selectPaused(db: Database, projectId: string) {
  const { id, subject, reasons, createdAt } = broadcasts;
  const paused = sql`select id from ${newest(projectId)} where state = 'paused'`;
  return db
    .select({ id, subject, reasons })
    .from(broadcasts)
    .where(sql`id in (${paused}) and reasons is not null`)
    .orderBy(desc(createdAt))
    .limit(1);
}
