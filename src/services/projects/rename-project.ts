import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists, updateProject } from "./queries.ts";
import type { ProjectInput } from "./create-project.ts";
import { firstProject } from "./first-project.ts";

/** Changes the given fields and keeps the others. The route checks `projects:write`. */
export async function renameProject(
  ctx: Ctx,
  project: ProjectRow,
  change: Partial<ProjectInput>,
): Promise<ProjectRow> {
  const { db, now } = ctx.deps;
  const fact = {
    scopeId: project.id,
    action: "project.update",
    targetType: "project",
    targetId: project.id,
  } as const;
  const [rows] = await runBatch(db, [
    updateProject(db, project.id, { ...change, updatedAt: now() }),
    auditStatement(ctx, fact, projectExists(project.id)),
  ]);
  return firstProject(rows);
}
