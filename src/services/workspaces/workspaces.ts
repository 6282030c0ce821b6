import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { conflict } from "../../errors.ts";
import type { UserActor, WorkspaceRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { newWorkspace } from "./new-workspace.ts";
import {
  deleteInvitationsOfGone,
  deleteMembersOfGone,
  deleteWorkspaceWhen,
  hasNoProjects,
  memberHolds,
  renameWorkspaceWhen,
  selectStanding,
} from "./queries.ts";
import { requireMembership } from "./membership.ts";

/**
 * Creates a workspace with the actor as its first owner. Any user may call it (API reference §8.1).
 */
export async function createWorkspace(
  ctx: Ctx,
  actor: UserActor,
  input: { name: string },
): Promise<WorkspaceRow> {
  const { workspace, statements } = newWorkspace(ctx, { name: input.name, ownerId: actor.userId });
  await runBatch(ctx.deps.db, statements);
  return workspace;
}

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
    auditStatement(ctx, { ...factOf(id), action: "workspace.rename", metadata: { name } }, may),
    renameWorkspaceWhen(db, id, { name, updatedAt: now() }, may),
  ]);
  requireMembership(membership, "workspace:write");
  const [row = workspace] = renamed;
  return row;
}

/**
 * Deletes an empty workspace with its memberships; its audit trail stays. The route and the write
 * itself both check `workspace:write`. Throws conflict while it has a project, and not_found or
 * forbidden when the workspace or the role has gone since the check.
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
    auditStatement(ctx, { ...factOf(id), action: "workspace.delete", metadata: { name } }, may),
    deleteWorkspaceWhen(db, id, may),
    deleteMembersOfGone(db, id),
    deleteInvitationsOfGone(db, id),
  ]);
  requireMembership(membership, "workspace:write");
  if (deleted.length === 0) throw conflict("workspace still has projects");
}

const factOf = (id: string) => ({ scopeId: id, targetType: "workspace", targetId: id }) as const;
