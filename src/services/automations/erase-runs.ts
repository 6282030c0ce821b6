import { sql } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import { countEnds } from "./count-ends.ts";

/** The most runs that one step erases. */
export const RUNS_ERASED = 500;

/**
 * Returns the statements that delete the newest runs of erased people, with those inside counted as
 * ended by a deletion, and one that selects their number.
 */
export function eraseRuns(db: Database, projectId: string, subscriberIds: string[]) {
  const theirs = sql`select automation_id, id from automation_runs
    where subscriber_id in (select value from json_each(${JSON.stringify(subscriberIds)}))
      and +project_id = ${projectId} order by id desc limit ${RUNS_ERASED}`;
  const writes: Statement[] = [
    countEnds(db, theirs, "deleted"),
    db.run(sql`delete from automation_runs where (automation_id, id) in (${theirs})`),
  ];
  return { count: db.all<{ n: number }>(sql`select count(*) as n from (${theirs})`), writes };
}
