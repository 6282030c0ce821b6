import { sql } from "drizzle-orm";
import { runBatch } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import type { Automation } from "./automation-queries.ts";
import { countEnds } from "./count-ends.ts";

/** The number of runs that a statement ends, and of statements for an automation. */
const RUNS_PER_STEP = 500;
const STEPS_MAX = 20;

/** The number of stopped automations that a sweep continues. */
const AUTOMATIONS_PER_SWEEP = 4;

/** How far the walk of a stopped automation has come that has no runs to end. */
const END = "~";

/** A stopped automation, of which all runs up to an id have ended. */
type Stopped = Pick<Automation, "id" | "walkedTo">;

/**
 * Ends the next runs of a stopped automation, up to 10,000. The sweep continues with the others.
 */
export async function endStoppedRuns({ db, now }: Deps, { id, walkedTo }: Stopped): Promise<void> {
  let last = walkedTo;
  for (let step = 0; step < STEPS_MAX && last !== END; step += 1) {
    const isStopped = sql`exists (select 1 from automations where id = ${id} and state = 'stopped')`;
    const page = sql`select automation_id, id from automation_runs where automation_id = ${id}
      and id > ${last} and ended_at is null and ${isStopped} order by id limit ${RUNS_PER_STEP}`;
    const [, ended] = await runBatch(db, [
      countEnds(db, page, "stopped"),
      db.all<{ id: string }>(
        sql`update automation_runs set ended_at = ${now()}, moved_at = ${now()}, outcome = 'stopped', due_at = null,
            waits_for = null, moves = moves + 1
          where (automation_id, id) in (${page})
          returning id`,
      ),
    ]);
    last = ended.map((run) => run.id).toSorted()[RUNS_PER_STEP - 1] ?? END;
  }
  await db.run(
    sql`update automations set walked_to = ${last} where id = ${id} and state = 'stopped'`,
  );
}

/** Ends the runs of stopped automations that are left. Returns the number of these automations. */
export async function continueStops(deps: Deps): Promise<number> {
  const left = await deps.db.all<Stopped>(
    sql`select id, walked_to as "walkedTo" from automations
      where state = 'stopped' and walked_to <> ${END} limit ${AUTOMATIONS_PER_SWEEP}`,
  );
  for (const stopped of left) await endStoppedRuns(deps, stopped);
  return left.length;
}
