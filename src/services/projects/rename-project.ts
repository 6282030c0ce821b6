import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectIs, requireVersion } from "./project-version.ts";
import { selectProject, updateProject } from "./queries.ts";
import type { ProjectInput } from "./create-project.ts";
import { firstProject } from "./first-project.ts";

/**
 * Changes the given fields and keeps the others; without any, changes nothing. The route checks
 * `projects:write`. Throws not_found, and precondition_failed if the project's version is not one
 * of the expected ones.
 */
export async function renameProject(
  ctx: Ctx,
  project: ProjectRow,
  change: Partial<ProjectInput>,
  expected?: number[],
): Promise<ProjectRow> {
  const { db, now } = ctx.deps;
  if (Object.keys(change).length === 0) {
    requireVersion(project, expected);
    return project;
  }
  const fact = {
    scopeId: project.id,
    action: "project.update",
  } as const;
  const when = projectIs(project.id, expected);
  const [, [renamed], current] = await runBatch(db, [
    auditStatement(ctx, fact, when),
    updateProject(db, project.id, { ...change, updatedAt: now() }, when),
    selectProject(db, project.id),
  ]);
  if (renamed) return renamed;
  const stored = firstProject(current);
  requireVersion(stored, expected);
  return stored;
}
