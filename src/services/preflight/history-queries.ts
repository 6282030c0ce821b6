import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";

/** The newest broadcasts of a project that are compared with a draft. */
const COMPARED = 200;

/** A broadcast that may be why a draft should wait. */
export interface PastBroadcast {
  id: string;
  subject: string;
  createdAt: number;
  error: string | null;
}

const newest = (projectId: string) =>
  sql`(select id, subject, html_body, state, created_at, error from broadcasts
    where project_id = ${projectId} and kind = 'broadcast' order by id desc limit ${COMPARED})`;

const FIELDS = sql`id, subject, created_at as "createdAt", error`;

/** Selects a broadcast since a time with one of these subjects or HTML parts: at most one row. */
export function selectSimilar(
  db: Database,
  projectId: string,
  { subjects, htmlBodies, since }: { subjects: string[]; htmlBodies: string[]; since: number },
) {
  return db.all<PastBroadcast>(
    sql`select ${FIELDS} from ${newest(projectId)}
      where created_at >= ${since} and state <> 'cancelled' and (
        lower(trim(subject)) in (select lower(trim(value)) from json_each(${JSON.stringify(subjects)}))
        or (html_body <> '' and html_body in (select value from json_each(${JSON.stringify(htmlBodies)}))))
      order by created_at desc limit 1`,
  );
}

/** Selects a broadcast that paused by itself and waits for somebody: at most one row. */
export function selectPaused(db: Database, projectId: string) {
  return db.all<PastBroadcast>(
    sql`select ${FIELDS} from ${newest(projectId)} where state = 'paused' and error is not null
      order by created_at desc limit 1`,
  );
}
