import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";

/**
 * Starts the import of an export into an empty project, or resumes an interrupted one. Returns the
 * number of lines that are in already. Throws 409 if the project has an audience, templates or
 * broadcasts, or has imported another file.
 */
export async function beginImport(
  ctx: Ctx,
  project: ProjectRow,
  exportId: string,
): Promise<number> {
  const { db, now } = ctx.deps;
  const isNew = sql`not exists (select 1 from project_imports where project_id = ${project.id})`;
  const when = sql`${isNew} and ${isEmpty(project.id)} and ${projectExists(project.id)}`;
  const fact = {
    scopeId: project.id,
    action: "project.import",
    metadata: { export_id: exportId },
  } as const;
  const [, , [begun]] = await runBatch(db, [
    auditStatement(ctx, fact, when),
    db.run(
      sql`insert into project_imports (project_id, export_id, started_at)
        select ${project.id}, ${exportId}, ${now()} where ${when}`,
    ),
    db.all<{ lines: number }>(
      sql`select lines from project_imports where project_id = ${project.id} and export_id = ${exportId}`,
    ),
  ]);
  if (!begun) throw refusal("project_not_empty", {});
  return begun.lines;
}

function isEmpty(projectId: string): SQL {
  const tables = ["subscribers", "templates", "suppressions", "topics", "segments", "broadcasts"];
  const none = tables.map(
    (table) => sql`not exists (select 1 from ${sql.raw(table)} where project_id = ${projectId})`,
  );
  return sql.join([...none, sql`not ${hasErased(projectId)}`], sql` and `);
}

/** Returns the condition that the project has erased someone, whom an export may contain. */
export const hasErased = (projectId: string): SQL =>
  sql`exists (select 1 from erased_addresses where project_id = ${projectId})`;
