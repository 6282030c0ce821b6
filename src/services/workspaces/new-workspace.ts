import type { Ctx } from "../../context.ts";
import type { Statement } from "../../db/client.ts";
import type { WorkspaceRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { insertMember, insertWorkspace } from "./queries.ts";

/**
 * Returns a workspace with its first owner: the row, and the statements that belong in one batch.
 */
export function newWorkspace(
  ctx: Ctx,
  input: { name: string; ownerId: string },
): { workspace: WorkspaceRow; statements: Statement[] } {
  const { db, now, newId } = ctx.deps;
  const { name, ownerId } = input;
  const at = now();
  const id = newId();
  const workspace = { id, name, createdBy: ownerId, createdAt: at, updatedAt: at };
  const statements = [
    insertWorkspace(db, workspace),
    insertMember(db, {
      workspaceId: id,
      userId: ownerId,
      role: "owner",
      joinedAt: at,
      accepted: true,
    }),
    auditStatement(ctx, {
      scopeId: id,
      action: "workspace.create",
      userId: ctx.actor.kind === "user" ? ctx.actor.userId : ownerId, // a registration has no actor
    }),
  ];
  return { workspace, statements };
}

/** Returns the workspace created with an account, so that every user can create a project. */
export function personalWorkspace(ctx: Ctx, user: { id: string; name: string }): Statement[] {
  return newWorkspace(ctx, { name: `${user.name}'s workspace`, ownerId: user.id }).statements;
}
