import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound, refusal } from "../../errors.ts";
import { DAY_MS } from "../../lib/durations.ts";
import type { EmailAddress } from "../../mail/address.ts";
import type { Role, UserActor, WorkspaceRow } from "../access/index.ts";
import { auditStatement, type AuditAction } from "../audit/index.ts";
import { noSender, addServiceMail, senderId, wakeServiceMail } from "../service-mail/index.ts";
import { memberHolds, requireMembership, selectStanding } from "../workspaces/index.ts";
import {
  deleteInvitationWhen,
  deleteTokensOfGone,
  insertInvitationWhen,
  invitationExists,
  renewInvitationWhen,
  type InvitationRow,
} from "./invitation-queries.ts";

/** The lifetime of an invitation link. */
export const INVITATION_LIFE_MS = 7 * DAY_MS;

const fact = (workspaceId: string, action: AuditAction, metadata: Record<string, string>) =>
  ({
    scopeId: workspaceId,
    action,
    metadata,
  }) as const;

/**
 * Invites an address into a workspace with a role, and queues the mail with the link. The route and
 * the write itself both check `members:write`. Throws 409 while the service has no sender, for a
 * member, and for an address with a valid invitation.
 */
export async function invitePerson(
  ctx: Ctx,
  actor: UserActor,
  workspace: WorkspaceRow,
  input: { email: EmailAddress; role: Role },
): Promise<InvitationRow> {
  const { deps } = ctx;
  const { db } = deps;
  const { email, role } = input;
  const createdAt = deps.now();
  const row: InvitationRow = {
    id: deps.newId(),
    workspaceId: workspace.id,
    email,
    role,
    invitedBy: actor.userId,
    createdAt,
    expiresAt: createdAt + INVITATION_LIFE_MS,
  };
  const isMember = sql`exists (select 1 from workspace_members where workspace_id = ${workspace.id}
    and user_id = (select id from users where email = ${email}))`;
  const may = sql`${memberHolds(workspace.id, actor.userId, "members:write")} and not ${isMember} and ${senderId()} is not null`;
  const stored = invitationExists(workspace.id, row.id);
  const data = { to: email, invitationId: row.id };
  const pending = addServiceMail(deps, "invitation", data, stored);
  const [standing, before, inserted] = await runBatch(db, [
    selectStanding(db, workspace.id, actor.userId, actor.userId),
    db.all<{ hasSender: number; isMember: number }>(
      sql`select ${senderId()} is not null as "hasSender", ${isMember} as "isMember"`,
    ),
    insertInvitationWhen(db, row, may),
    auditStatement(ctx, fact(workspace.id, "workspace.invitation_sent", { role }), stored),
    pending.statement,
  ]);
  requireMembership(standing, "members:write");
  const [found] = before;
  if (found?.hasSender !== 1) throw noSender();
  if (found.isMember === 1) throw refusal("already_member", {});
  if (inserted.length === 0) throw refusal("already_invited", {});
  deps.waitUntil(wakeServiceMail(deps));
  return row;
}

/**
 * Sends an invitation again, valid for another seven days and with the actor as sender. The route
 * and the write itself both check `members:write`. Throws not_found, and 409 while the service has
 * no sender.
 */
export async function resendInvitation(
  ctx: Ctx,
  actor: UserActor,
  workspace: WorkspaceRow,
  { id, email }: Pick<InvitationRow, "id" | "email">,
): Promise<InvitationRow> {
  const { deps } = ctx;
  const { db } = deps;
  const may = sql`${memberHolds(workspace.id, actor.userId, "members:write")} and ${senderId()} is not null`;
  const mayBoth = sql`${may} and ${invitationExists(workspace.id, id)}`;
  const pending = addServiceMail(deps, "invitation", { to: email, invitationId: id }, mayBoth);
  const change = { invitedBy: actor.userId, expiresAt: deps.now() + INVITATION_LIFE_MS };
  const [standing, before, renewed] = await runBatch(db, [
    selectStanding(db, workspace.id, actor.userId, actor.userId),
    db.all<{ hasSender: number }>(sql`select ${senderId()} is not null as "hasSender"`),
    renewInvitationWhen(db, { workspaceId: workspace.id, id }, change, may),
    auditStatement(
      ctx,
      fact(workspace.id, "workspace.invitation_resent", { invitation_id: id }),
      mayBoth,
    ),
    pending.statement,
  ]);
  requireMembership(standing, "members:write");
  const [row] = renewed;
  if (before[0]?.hasSender !== 1) throw noSender();
  if (!row) throw notFound("invitation");
  deps.waitUntil(wakeServiceMail(deps));
  return row;
}

/**
 * Withdraws an invitation; its links stop working immediately. The route and the write itself both
 * check `members:write`. Throws not_found.
 */
export async function withdrawInvitation(
  ctx: Ctx,
  actor: UserActor,
  workspace: WorkspaceRow,
  id: string,
): Promise<void> {
  const { db } = ctx.deps;
  const may = memberHolds(workspace.id, actor.userId, "members:write");
  const [standing, , deleted] = await runBatch(db, [
    selectStanding(db, workspace.id, actor.userId, actor.userId),
    auditStatement(
      ctx,
      fact(workspace.id, "workspace.invitation_withdrawn", { invitation_id: id }),
      sql`${may} and ${invitationExists(workspace.id, id)}`,
    ),
    deleteInvitationWhen(db, workspace.id, id, may),
    deleteTokensOfGone(db, id),
  ]);
  requireMembership(standing, "members:write");
  if (deleted.length === 0) throw notFound("invitation");
}
