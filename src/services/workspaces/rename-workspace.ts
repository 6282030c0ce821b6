import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { UserActor, WorkspaceRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { memberHolds, renameWorkspaceWhen, selectStanding } from "./queries.ts";
import { requireMembership } from "./membership.ts";
import { workspaceAudit } from "./workspace-audit.ts";

/**
 * Gives a workspace another name. The route and the write itself both check `workspace:write`.
 * Throws not_found or forbidden when the workspace or the role has gone since the check.
 */
export async function renameWorkspace(
  ctx: Ctx,
  actor: UserActor,
  workspace: WorkspaceRow,
  input: { name: string },
): Promise<WorkspaceRow> {
  const { db, now } = ctx.deps;
  const { id } = workspace;
  const may = memberHolds(id, actor.userId, "workspace:write");
  const { name } = input;
  const [membership, , renamed] = await runBatch(db, [
    selectStanding(db, id, actor.userId, actor.userId),
    auditStatement(
      ctx,
      { ...workspaceAudit(id), action: "workspace.rename", metadata: { name } },
      may,
    ),
    renameWorkspaceWhen(db, id, { name, updatedAt: now() }, may),
  ]);
  requireMembership(membership, "workspace:write");
  const [row = workspace] = renamed;
  return row;
}
