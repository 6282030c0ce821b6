import { and, asc, eq, gt, sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../../db/client.ts";
import { broadcasts } from "../../../db/schema/index.ts";
import { readOutcomes } from "./read-outcomes.ts";

/** The number of trials in one read. A plan has only short texts. */
const ROWS_PER_READ = 50;

/**
 * Yields the trials of a project with their plans and results. The result of a trial without a
 * winner is the current one, because its clicks do not move.
 */
export async function* readTrials(
  db: Database,
  projectId: string,
): AsyncGenerator<Record<string, unknown>> {
  let after = "";
  for (;;) {
    const rows = await db
      .select({
        id: broadcasts.id,
        projectId: broadcasts.projectId,
        createdAt: broadcasts.createdAt,
        plan: broadcasts.plan,
        variables: broadcasts.variables,
        winner: broadcasts.winner,
        trial: broadcasts.trial,
      })
      .from(broadcasts)
      .where(
        and(
          eq(broadcasts.projectId, projectId),
          eq(broadcasts.kind, "broadcast"),
          gt(broadcasts.id, after),
          sql`plan ->> '$.ab' is not null`,
        ),
      )
      .orderBy(asc(broadcasts.id))
      .limit(ROWS_PER_READ);
    for (const row of rows) {
      const { id, plan, variables, winner } = row;
      yield { id, plan, variables, winner, trial: row.trial ?? (await readOutcomes(db, row)) };
    }
    after = rows.at(-1)?.id ?? "";
    if (rows.length < ROWS_PER_READ) return;
  }
}

/**
 * Returns the statement that gives restored broadcasts of a project the trials of `list`, a JSON
 * array, if `when` holds. A trial whose variants are missing is left out. A repetition changes
 * nothing.
 */
export function restoreTrials(
  db: Database,
  projectId: string,
  list: string,
  when: SQL = sql`true`,
): Statement {
  const field = (name: string) => sql`moved.value ->> ${`$.${name}`}`;
  return db.run(
    sql`update broadcasts set plan = ${field("plan")}, variables = ${field("variables")}, winner = ${field("winner")},
        trial = ${field("trial")}, updated_at = max(updated_at, created_at)
      from json_each(${list}) moved
      where broadcasts.id = ${field("id")} and +broadcasts.project_id = ${projectId} and broadcasts.kind = 'broadcast'
        and broadcasts.plan is null and ${when}
        and json_array_length(moved.value, '$.plan.ab.variants') = (
          select count(*) from broadcast_variants v where v.broadcast_id = broadcasts.id)`,
  );
}
