import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import type { UserActor, WorkspaceRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import {
  deleteInvitationsOfGone,
  deleteMembersOfGone,
  deleteWorkspaceWhen,
  hasNoProjects,
  memberHolds,
  selectStanding,
} from "./queries.ts";
import { requireMembership } from "./membership.ts";

/**
 * Deletes an empty workspace with its memberships; its audit trail stays. The route and the write
 * itself both check `workspace:write`. Throws 409 while it has a project, and not_found or 403 if
 * the workspace or the role no longer exists.
 */
export async function deleteWorkspace(
  ctx: Ctx,
  actor: UserActor,
  workspace: WorkspaceRow,
): Promise<void> {
  const { db } = ctx.deps;
  const { id, name } = workspace;
  const may = sql`${memberHolds(id, actor.userId, "workspace:write")} and ${hasNoProjects(id)}`;
  const [membership, , deleted] = await runBatch(db, [
    selectStanding(db, id, actor.userId, actor.userId),
    auditStatement(ctx, { scopeId: id, action: "workspace.delete", metadata: { name } }, may),
    deleteWorkspaceWhen(db, id, may),
    deleteMembersOfGone(db, id),
    deleteInvitationsOfGone(db, id),
  ]);
  requireMembership(membership, "workspace:write");
  if (deleted.length === 0) throw refusal("workspace_not_empty", {});
}
