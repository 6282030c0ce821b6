import { sql } from "drizzle-orm";
import { runBatch } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";

/** The number of runs that a statement ends, and of statements for an automation. */
const RUNS_PER_STEP = 500;
const STEPS_MAX = 20;

/** The number of stopped automations that a sweep continues. */
const AUTOMATIONS_PER_SWEEP = 4;

/**
 * Ends the runs of stopped automations, up to 10,000 of each. The sweep continues with the others.
 */
export async function endStoppedRuns({ db, now }: Deps, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    let ended = RUNS_PER_STEP;
    for (let step = 0; step < STEPS_MAX && ended === RUNS_PER_STEP; step += 1) {
      const page = sql`select id from automation_runs where automation_id = ${id} and ended_at is null
        order by id limit ${RUNS_PER_STEP}`;
      const [, written] = await runBatch(db, [
        db.run(
          sql`insert into automation_counts (automation_id, version, step, what, n)
            select automation_id, version, step, what, count(*) from (
              select automation_id, version, step, case way.value when 'out' then 'out' else 'stopped' end as what
              from automation_runs run cross join json_each('["out","stopped"]') way
              where automation_id = ${id} and run.id in (${page}) and moves > 0)
            where exists (select 1 from automations where id = ${id} and state = 'stopped')
            group by version, step, what
            on conflict do update set n = n + excluded.n`,
        ),
        db.run(
          sql`update automation_runs set ended_at = ${now()}, moved_at = ${now()}, outcome = 'stopped', due_at = null,
              waits_for = null, moves = moves + 1
            where automation_id = ${id} and id in (${page})
              and exists (select 1 from automations where id = ${id} and state = 'stopped')`,
        ),
      ]);
      ended = written.meta.changes;
    }
  }
}

/** Ends the runs of stopped automations that are left. Returns the number of these automations. */
export async function continueStops(deps: Deps): Promise<number> {
  const left = await deps.db.all<{ id: string }>(
    sql`select id from automations where state = 'stopped' and exists (
        select 1 from automation_runs indexed by automation_runs_by_due
        where automation_id = automations.id and due_at is not null)
      limit ${AUTOMATIONS_PER_SWEEP}`,
  );
  await endStoppedRuns(
    deps,
    left.map(({ id }) => id),
  );
  return left.length;
}
