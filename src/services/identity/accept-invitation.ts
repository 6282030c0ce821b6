import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { isNotNullViolation, isUniqueViolation } from "../../db/constraint-violation.ts";
import { type AppError, refusal } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { hashPassword } from "../../lib/password-hash.ts";
import type { UserActor } from "../access/index.ts";
import { insertUser, newSession, type PublicUser } from "../accounts/index.ts";
import { auditStatement } from "../audit/index.ts";
import { personalWorkspace } from "../workspaces/index.ts";
import {
  deleteInvitationWhen,
  deleteTokensOfGone,
  selectInvitationOfToken,
  tokenOpens,
  type OpenInvitation,
} from "./invitation-queries.ts";

const invitationIsOver = (): AppError => refusal("invitation_over", {});

/**
 * Returns the invitation of a token, which authorizes the call. Throws 400 for an invalid token.
 */
export async function readInvitation(ctx: Ctx, token: string): Promise<OpenInvitation> {
  const { db, now } = ctx.deps;
  const [invitation] = await selectInvitationOfToken(db, sha256Hex(token), now());
  if (!invitation) throw invitationIsOver();
  return invitation;
}

/**
 * Creates an account, a membership and a session for the invited person, atomically. The token
 * proves the address and authorizes the call. Throws 400 for an invalid token, and 409 if the
 * address has an account.
 */
export async function acceptAsNewPerson(
  ctx: Ctx,
  input: { token: string; name: string; password: string },
): Promise<{ user: PublicUser; token: string; invitation: OpenInvitation }> {
  const { deps } = ctx;
  const invitation = await readInvitation(ctx, input.token);
  if (invitation.userId !== null) throw refusal("has_account", {});
  const passwordHash = await hashPassword(input.password);
  const now = deps.now();
  const user = { id: deps.newId(), email: invitation.email, name: input.name };
  const session = newSession(ctx, { id: user.id, passwordHash });
  // Without the invitation the id is null, so the whole batch fails and creates nothing.
  const isOpen = tokenOpens(sha256Hex(input.token), invitation.id, now);
  const id = sql<string>`iif(${isOpen}, ${user.id}, null)`;
  const account = { ...user, id, passwordHash, createdAt: now, updatedAt: now, verifiedAt: now };
  try {
    await runBatch(deps.db, [
      insertUser(deps.db, account),
      ...personalWorkspace(ctx, user),
      ...joinStatements(ctx, invitation, user.id, input.token, now),
      session.statement,
    ]);
  } catch (error) {
    if (isNotNullViolation(error, "users.id")) throw invitationIsOver();
    if (isUniqueViolation(error, "users.email")) throw refusal("has_account", {});
    throw error;
  }
  return { user, token: session.token, invitation };
}

/**
 * Makes the actor a member; an existing member keeps the role. The token verifies the account's
 * address, unless another user created the account and so knows its password. The token and the
 * session together authorize the call. Throws 400 for an invalid token, and 403 for an invitation
 * to another address.
 */
export async function acceptAsMember(
  ctx: Ctx,
  actor: UserActor,
  token: string,
): Promise<OpenInvitation> {
  const { db, now } = ctx.deps;
  const invitation = await readInvitation(ctx, token);
  if (invitation.userId !== actor.userId)
    throw refusal("invitation_of_other", { email: invitation.email });
  const joining = joinStatements(ctx, invitation, actor.userId, token, now());
  const [, , , accepted] = await runBatch(db, joining);
  if (accepted.length === 0) throw invitationIsOver();
  return invitation;
}

/**
 * Returns the writes of an acceptance. They apply only while the token opens the invitation; the
 * fourth then returns a row.
 */
function joinStatements(
  ctx: Ctx,
  { id, workspaceId, role }: OpenInvitation,
  userId: string,
  token: string,
  now: number,
) {
  const { db } = ctx.deps;
  const isOpen = tokenOpens(sha256Hex(token), id, now);
  const fact = {
    scopeId: workspaceId,
    userId,
    action: "workspace.invitation_accepted",
    metadata: { user_id: userId, role },
  } as const;
  return [
    auditStatement(ctx, fact, isOpen),
    db.run(
      sql`insert into workspace_members (workspace_id, user_id, role, joined_at, accepted)
        select ${workspaceId}, ${userId}, ${role}, ${now}, 1 where ${isOpen}
        on conflict (workspace_id, user_id) do update set accepted = 1`,
    ),
    db.run(
      sql`update users set verified_at = coalesce(verified_at, ${now}) where id = ${userId}
        and created_by is null and ${isOpen}`,
    ),
    deleteInvitationWhen(db, workspaceId, id, isOpen),
    deleteTokensOfGone(db, id),
  ] as const;
}
