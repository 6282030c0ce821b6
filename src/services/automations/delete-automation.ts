import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { changedMeanwhile, notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { automationIs, selectAutomation, type Expected } from "./automation-queries.ts";
import { stateConflict } from "./manage-automations.ts";

/** The number of runs that a statement deletes, and of statements in a request or a night. */
const RUNS_PER_STEP = 500;
const STEPS_MAX = 20;

/**
 * Deletes a draft or a stopped automation with its runs. Its mails stay in the log, with their
 * content. Throws not_found, precondition_failed if it has changed, and 409 if it runs.
 */
export async function deleteAutomation(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  versions: number[] | undefined,
): Promise<void> {
  const { db } = ctx.deps;
  const expected: Expected = { states: ["draft", "stopped"], versions };
  const is = automationIs(project.id, id, expected);
  const metadata = sql`(select json_object('name', name) from automations where id = ${id})`;
  const fact = {
    scopeId: project.id,
    action: "automation.deleted",
    targetId: id,
    metadata,
  } as const;
  const [, deleted, [kept]] = await runBatch(db, [
    auditStatement(ctx, fact, is),
    db.run(sql`delete from automations where id = ${id} and ${is}`),
    selectAutomation(db, project.id, id),
  ]);
  if (kept)
    throw expected.states.includes(kept.state)
      ? changedMeanwhile("automation")
      : stateConflict(kept.state);
  if (deleted.meta.changes === 0) throw notFound("automation");
  await purgeRuns(ctx.deps, sql`select ${id}`);
}

/** Removes what is left of deleted automations, as a nightly job: up to 10,000 runs. */
export const purgeAutomations = (deps: Deps): Promise<number> =>
  purgeRuns(
    deps,
    sql`with recursive ids (id) as (
        select min(automation_id) from automation_runs
        union all
        select (select min(automation_id) from automation_runs where automation_id > ids.id) from ids
          where ids.id is not null)
      select id from ids where id is not null and id not in (select id from automations)`,
  );

/** Deletes runs of the automations that a query names, then their versions and counts. */
async function purgeRuns({ db }: Deps, ids: SQL): Promise<number> {
  const orphaned = sql`automation_id not in (select id from automations)`;
  let runs = 0;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { meta } = await db.run(
      sql`delete from automation_runs where (automation_id, id) in (
        select automation_id, id from automation_runs where automation_id in (${ids}) limit ${RUNS_PER_STEP})`,
    );
    runs += meta.changes;
    if (meta.changes < RUNS_PER_STEP) break;
  }
  await runBatch(db, [
    db.run(sql`delete from automation_versions where ${orphaned}`),
    db.run(sql`delete from automation_counts where ${orphaned}`),
  ]);
  return runs;
}
