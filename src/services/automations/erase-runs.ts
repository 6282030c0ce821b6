import { sql } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";

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
    db.run(
      sql`insert into automation_counts (automation_id, version, step, what, n)
        select run.automation_id, run.version, run.step, way.value as what, count(*)
        from (${theirs}) page
          cross join automation_runs run on run.automation_id = page.automation_id and run.id = page.id
          cross join json_each('["out","deleted"]') way
        where run.ended_at is null and run.moves > 0
        group by run.automation_id, run.version, run.step, what
        on conflict do update set n = n + excluded.n`,
    ),
    db.run(sql`delete from automation_runs where (automation_id, id) in (${theirs})`),
  ];
  return { count: db.all<{ n: number }>(sql`select count(*) as n from (${theirs})`), writes };
}
