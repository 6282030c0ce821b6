import { and, asc, eq, gt, sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../../db/client.ts";
import { broadcasts } from "../../../db/schema/index.ts";
import { readOutcomes } from "./read-outcomes.ts";

/** The number of A/B tests per read. Their plans are short. */
const ROWS_PER_READ = 50;

/**
 * Yields the A/B tests of a project with their plans and results. The result of an A/B test without
 * a winner is the current one, because clicks are not exported.
 */
export async function* readAbTests(
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
        trial: broadcasts.variantOutcomes,
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
 * Returns the statement that gives restored broadcasts of a project the A/B tests of `list`, a JSON
 * array, if `when` holds. Skips an A/B test whose variants are missing. Idempotent.
 */
export function restoreAbTests(
  db: Database,
  projectId: string,
  list: string,
  when: SQL = sql`true`,
): Statement {
  const field = (name: string) => sql`moved.value ->> ${`$.${name}`}`;
  return db.run(
    sql`update broadcasts set plan = ${field("plan")}, variables = ${field("variables")}, winner = ${field("winner")},
        variant_outcomes = ${field("trial")}, updated_at = max(updated_at, created_at)
      from json_each(${list}) moved
      where broadcasts.id = ${field("id")} and +broadcasts.project_id = ${projectId} and broadcasts.kind = 'broadcast'
        and broadcasts.plan is null and ${when}
        and json_array_length(moved.value, '$.plan.ab.variants') = (
          select count(*) from broadcast_variants v where v.broadcast_id = broadcasts.id)`,
  );
}
