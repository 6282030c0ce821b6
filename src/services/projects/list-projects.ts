import type { Ctx } from "../../context.ts";
import type { Page } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import { selectAllProjects, selectOwnProjects } from "./queries.ts";
import type { UserActor } from "./create-project.ts";

/**
 * Returns a page of the projects that the caller created, or of all in the caller's workspaces,
 * oldest first. Excludes projects of a workspace that the caller has left, and those that the access
 * token of the request does not reach.
 */
export async function listProjects(
  ctx: Ctx,
  actor: UserActor,
  scope: "own" | "all",
  page: Page,
): Promise<ProjectRow[]> {
  const select = scope === "all" ? selectAllProjects : selectOwnProjects;
  return select(ctx.deps.db, actor, page);
}
