import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";
import { peopleOf, selectErased, type ErasedPeople } from "./erased-people.ts";

/** The manifest of an export file. */
export interface Manifest {
  exportId: string;
  /** The project that was exported. */
  projectId: string;
}

export interface Progress {
  files: number;
  isFinished: boolean;
  /** The people erased from the project so far. */
  erased: ErasedPeople;
}

/**
 * Starts the import of an export into an empty project, or resumes an interrupted one, in one
 * batch. Throws 409 if the project has an audience, templates or broadcasts, or has imported
 * another file. Also throws 409 if the ids of the export may belong to another project of this
 * service: the exported project still exists, is still being deleted, or was imported before.
 */
export async function beginImport(
  ctx: Ctx,
  project: ProjectRow,
  { exportId, projectId: sourceId }: Manifest,
): Promise<Progress> {
  const { db, now } = ctx.deps;
  const isNew = sql`not exists (select 1 from project_imports where project_id = ${project.id})`;
  const empty = isEmpty(project.id);
  const elsewhere = isElsewhere(project.id, sourceId);
  const when = sql`${isNew} and ${empty} and not ${elsewhere} and ${projectExists(project.id)}`;
  const fact = {
    scopeId: project.id,
    action: "project.import",
    targetType: "project",
    targetId: project.id,
    metadata: { export_id: exportId, from_project: sourceId },
  } as const;
  const [, , [facts], erased, targets] = await runBatch(db, [
    auditStatement(ctx, fact, when),
    db.run(
      sql`insert into project_imports (project_id, export_id, source_project_id, started_at)
        select ${project.id}, ${exportId}, ${sourceId}, ${now()} where ${when}`,
    ),
    db.all<{ exportId: string | null; files: number; finishedAt: number | null; taken: number }>(
      sql`select i.export_id as "exportId", coalesce(i.files, 0) as files,
          i.finished_at as "finishedAt", ${elsewhere} as taken
        from (select 1) left join project_imports i on i.project_id = ${project.id}`,
    ),
    ...selectErased(db, project.id),
  ]);
  if (facts?.exportId === exportId) {
    const { files, finishedAt } = facts;
    return { files, isFinished: finishedAt !== null, erased: peopleOf(erased, targets) };
  }
  if (facts?.taken) throw refusal("exported_project_known", {});
  if (typeof facts?.exportId === "string") throw refusal("other_export_imported", {});
  throw refusal("project_not_empty", {});
}

function isEmpty(projectId: string): SQL {
  const tables = [
    "subscribers",
    "templates",
    "suppressions",
    "topics",
    "segments",
    "broadcasts",
    "erased_addresses", // an old export may contain them
  ];
  const none = tables.map(
    (table) => sql`not exists (select 1 from ${sql.raw(table)} where project_id = ${projectId})`,
  );
  return sql.join(none, sql` and `);
}

function isElsewhere(projectId: string, sourceId: string): SQL {
  return sql`(exists (select 1 from projects where id = ${sourceId})
    or exists (select 1 from project_purges where project_id = ${sourceId})
    or exists (select 1 from project_imports where source_project_id = ${sourceId} and project_id <> ${projectId} and files > 0))`;
}
