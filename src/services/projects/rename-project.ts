import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../access/index.ts";
import { changeProject } from "./change-project.ts";
import type { ProjectInput } from "./create-project.ts";
import { requireVersion } from "./project-version.ts";

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
  if (Object.keys(change).length > 0) {
    const renaming = { columns: change, action: "project.update", expected } as const;
    return (await changeProject(ctx, project.id, renaming)).project;
  }
  requireVersion(project, expected);
  return project;
}
