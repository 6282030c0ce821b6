import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type Statement } from "../../db/client.ts";
import { notFound, refusal } from "../../errors.ts";
import type { Role, UserActor, WorkspaceRow } from "../access/index.ts";
import { auditStatement, type AuditAction } from "../audit/index.ts";
import {
  canBeAddedBy,
  deleteInvitationOfMember,
  deleteMemberWhen,
  hasOtherOwner,
  hasOtherRole,
  insertMemberWhen,
  memberHolds,
  selectStanding,
  updateRoleWhen,
  type Member,
  type selectPerson,
  type Membership,
} from "./queries.ts";
import { deleteWorkspace } from "./delete-workspace.ts";
import { requireMembership } from "./membership.ts";

/** A member, or in cloud mode a user who must first accept an invitation. */
interface Added {
  member: Member;
  mustAccept: boolean;
}

/**
 * Makes the account that `selectPerson` read a member, or changes the member's role. In cloud mode,
 * where owners are not trusted, it adds no one: the caller invites a user who `mustAccept`. The
 * route and the write itself both check `members:write`. Throws not_found without such an account,
 * and also for an unverified address unless the actor created the account. Throws 409 if the last
 * owner would lose the role.
 */
export async function addMember(
  ctx: Ctx,
  actor: UserActor,
  workspace: WorkspaceRow,
  input: { people: Awaited<ReturnType<typeof selectPerson>>; role: Role },
): Promise<Added> {
  const { deps } = ctx;
  const { deploymentMode } = deps.config;
  const { role } = input;
  const [person] = input.people;
  if (!person) throw notFound("user");
  const { id: userId, email, name, createdBy } = person;
  const joinedAt = deps.now();
  const may = sql`${memberHolds(workspace.id, actor.userId, "members:write")} and ${canBeAddedBy(actor.userId, userId)} and ${deploymentMode} <> 'cloud'`;
  const isNew = sql`${may} and not ${memberHolds(workspace.id, userId, "read")}`;
  const [membership] = await runBatch(deps.db, [
    selectStanding(deps.db, workspace.id, actor.userId, userId),
    tell(
      ctx,
      workspace,
      "workspace.member_added",
      sql`json_object('user_id', ${userId}, 'role', ${role})`,
      isNew,
    ),
    insertMemberWhen(deps.db, { workspaceId: workspace.id, userId, role, joinedAt }, may),
    ...roleChange(ctx, actor, workspace, userId, role),
  ]);
  const before = requireMembership(membership, "members:write");
  if (before.role) requireOwnerLeft(before, role);
  else if (before.canBeAdded === 0) throw notFound("user");
  const isCloud = deploymentMode === "cloud";
  return {
    member: {
      userId,
      email,
      name: isCloud && before.accepted !== 1 ? "" : name,
      role,
      joinedAt: before.joinedAt ?? joinedAt,
      createdBy,
    },
    mustAccept: isCloud && before.role === null,
  };
}

/**
 * Changes a member's role. The route and the write itself both check `members:write`. Throws
 * not_found without such a member, and 409 if the last owner would lose the role.
 */
export async function changeRole(
  ctx: Ctx,
  actor: UserActor,
  workspace: WorkspaceRow,
  input: { userId: string; role: Role },
): Promise<void> {
  const { db } = ctx.deps;
  const { userId, role } = input;
  const [membership] = await runBatch(db, [
    selectStanding(db, workspace.id, actor.userId, userId),
    ...roleChange(ctx, actor, workspace, userId, role),
  ]);
  const before = requireMembership(membership, "members:write");
  if (!before.role) throw notFound("member");
  requireOwnerLeft(before, role);
}

/**
 * Ends a membership, and with it the access to every project of the workspace. Also withdraws an
 * open invitation of that user, whose link would restore access. The route and the write itself
 * both check `members:write`, or that the member acts on themselves. In cloud mode the last owner
 * may leave an empty workspace, which deletes it. Throws not_found without such a member, and 409
 * for the last owner.
 */
export async function removeMember(
  ctx: Ctx,
  actor: UserActor,
  workspace: WorkspaceRow,
  userId: string,
): Promise<void> {
  const { db } = ctx.deps;
  const { id } = workspace;
  const needed = actor.userId === userId ? "read" : "members:write";
  const may = sql`${memberHolds(id, actor.userId, needed)} and ${memberHolds(id, userId, "read")} and ${hasOtherOwner(id, userId)}`;
  const told = sql`json_object('user_id', ${userId}, 'role', ${roleOf(id, userId)})`;
  const [membership] = await runBatch(db, [
    selectStanding(db, id, actor.userId, userId),
    tell(ctx, workspace, "workspace.member_removed", told, may),
    deleteInvitationOfMember(db, id, userId, may),
    deleteMemberWhen(db, id, userId, may),
  ]);
  const before = requireMembership(membership, needed);
  if (!before.role) throw notFound("member");
  if (before.otherOwner) return;
  // Another user may have made the member the owner, so the workspace is deleted with the
  // membership if it has no project.
  if (ctx.deps.config.deploymentMode !== "cloud" || actor.userId !== userId)
    throw refusal("last_owner", {});
  await deleteWorkspace(ctx, actor, workspace);
}

/**
 * Returns the statements that change a member's role and record it; they do nothing without the
 * required capability.
 */
function roleChange(
  ctx: Ctx,
  actor: UserActor,
  { id }: WorkspaceRow,
  userId: string,
  role: Role,
): Statement[] {
  const ownerLeft = role === "owner" ? sql`true` : hasOtherOwner(id, userId);
  const may = sql`${memberHolds(id, actor.userId, "members:write")} and ${hasOtherRole(id, userId, role)} and ${ownerLeft}`;
  const told = sql`json_object('user_id', ${userId}, 'role', ${role}, 'previous_role', ${roleOf(id, userId)})`;
  return [
    tell(ctx, { id }, "workspace.member_role_changed", told, may),
    updateRoleWhen(ctx.deps.db, id, userId, role, may),
  ];
}

function requireOwnerLeft({ otherOwner }: Membership, role: Role): void {
  if (role !== "owner" && !otherOwner) throw refusal("last_owner", {});
}

const roleOf = (id: string, userId: string) =>
  sql`(select role from workspace_members where workspace_id = ${id} and user_id = ${userId})`;

const tell = (ctx: Ctx, { id }: { id: string }, action: AuditAction, metadata: SQL, when: SQL) =>
  auditStatement(ctx, { scopeId: id, action, metadata }, when);
