import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { changedMeanwhile } from "../../errors.ts";
import type { UserActor, WorkspaceRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { memberHolds, renameWorkspaceWhen, selectStanding, workspaceIs } from "./queries.ts";
import { requireMembership } from "./membership.ts";

/**
 * Renames a workspace. The route and the write itself both check `workspace:write`. Throws
 * not_found or 403 if the workspace or the role no longer exists, and precondition_failed if the
 * workspace's version is not one of the expected ones.
 */
export async function renameWorkspace(
  ctx: Ctx,
  actor: UserActor,
  workspace: WorkspaceRow,
  { name }: { name: string },
  expected?: number[],
): Promise<WorkspaceRow> {
  const { db, now } = ctx.deps;
  const { id } = workspace;
  const may = memberHolds(id, actor.userId, "workspace:write");
  const when = sql`${may} and ${workspaceIs(id, expected)}`;
  const [membership, , [renamed]] = await runBatch(db, [
    selectStanding(db, id, actor.userId, actor.userId),
    auditStatement(ctx, { scopeId: id, action: "workspace.rename", metadata: { name } }, when),
    renameWorkspaceWhen(db, id, name, now(), when),
  ]);
  requireMembership(membership, "workspace:write");
  if (!renamed) throw changedMeanwhile("workspace");
  return renamed;
}
