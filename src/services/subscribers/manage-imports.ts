import { and, desc, eq, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type Database, type Statement } from "../../db/client.ts";
import { imports } from "../../db/schema/index.ts";
import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";

export type ImportEntry = typeof imports.$inferSelect;

/** The maximum number of imports listed for a project; our own limit. */
const MOST_LISTED = 100;

/**
 * Creates an import without people, to which imports of lists add theirs. The route checks
 * `subscribers:write`.
 */
export async function createImport(
  ctx: Ctx,
  project: ProjectRow,
  name: string,
): Promise<ImportEntry> {
  const { db, newId, now } = ctx.deps;
  const entry = { projectId: project.id, name, createdAt: now(), imported: 0, existing: 0 };
  const row = { id: newId(), ...entry };
  const fact = {
    scopeId: project.id,
    action: "import.create",
    targetId: row.id,
    metadata: { name },
  } as const;
  const when = projectExists(project.id);
  await runBatch(db, [
    db.run(
      sql`insert into imports (id, project_id, name, created_at)
        select ${row.id}, ${project.id}, ${name}, ${row.createdAt} where ${when}`,
    ),
    auditStatement(ctx, fact, when),
  ]);
  return row;
}

/** Lists the newest 100 imports of a project, newest first. */
export const listImports = ({ deps: { db } }: Ctx, project: ProjectRow): Promise<ImportEntry[]> =>
  db
    .select()
    .from(imports)
    .where(eq(imports.projectId, project.id))
    .orderBy(desc(imports.id))
    .limit(MOST_LISTED)
    .all();

/** Throws not_found unless the project has the import, or none is given. */
export async function requireImport(
  db: Database,
  projectId: string,
  id: string | undefined,
): Promise<void> {
  if (id === undefined) return;
  const [found] = await db
    .select({ id: imports.id })
    .from(imports)
    .where(and(eq(imports.id, id), eq(imports.projectId, projectId)));
  if (!found) throw notFound("import");
}

/**
 * Returns the statements that assign subscribers to an import. They follow the insert of the new
 * ones, whose rows have the import already; `ids` are those of the new rows, and `emails` all
 * addresses. Repeating them counts no one again.
 */
export function noteImported(
  db: Database,
  projectId: string,
  importId: string | undefined,
  { ids, emails }: { ids: string[]; emails: string[] },
): Statement[] {
  if (importId === undefined) return [];
  const others = sql`project_id = ${projectId} and import_id is not ${importId}
    and email in (select value from json_each(${JSON.stringify(emails)}))`;
  return [
    db.run(
      sql`update imports set
          imported = imported + (select count(*) from subscribers
            where id in (select value from json_each(${JSON.stringify(ids)})) and +project_id = ${projectId}),
          existing = existing + (select count(*) from subscribers where ${others})
        where id = ${importId} and project_id = ${projectId}`,
    ),
    db.run(sql`update subscribers set import_id = ${importId} where ${others}`),
  ];
}
