import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";
import { peopleOf, selectErased, type ErasedPeople } from "./erased-people.ts";

/** The export that a file says it is. */
export interface Manifest {
  exportId: string;
  /** The project that was exported. */
  projectId: string;
}

/** The import of a project as far as it is. */
export interface Progress {
  /** The files that are in. */
  files: number;
  isFinished: boolean;
  /** The people whom the project has erased by now. */
  erased: ErasedPeople;
}

/**
 * Begins the import of an export into an empty project, or finds the one that broke off. All is
 * decided in one batch. Throws 409 for a project that has an audience, templates or
 * broadcasts, or that took another file; and if the ids of the export may belong to another project
 * of this service, because it has the exported project, is still removing it, or has imported it
 * before.
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
    "erased_addresses", // an old export may have them
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
