import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import type { Moved } from "./track.ts";

/**
 * Returns the statement that counts an outcome of those of some runs that have begun and not ended.
 * It precedes their end in a batch. `runs` selects `automation_id` and `id`.
 */
export const countEnds = (
  db: Database,
  runs: SQL,
  outcome: NonNullable<Moved["outcome"]>,
): Statement =>
  db.run(
    sql`insert into automation_counts (automation_id, version, step, what, n)
      select run.automation_id, run.version, run.step, way.value as what, count(*)
      from (${runs}) page
        cross join automation_runs run on run.automation_id = page.automation_id and run.id = page.id
        cross join json_each(${JSON.stringify(["out", outcome])}) way
      where run.ended_at is null and run.moves > 0
      group by run.automation_id, run.version, run.step, what
      on conflict do update set n = n + excluded.n`,
  );
