import { sql } from "drizzle-orm";
import type { Actor, Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { hashPassword, verifyPassword } from "../../lib/password-hash.ts";
import { auditStatement } from "../audit/index.ts";
import { endSession } from "./end-session.ts";
import { deletePendingResets, deleteUserTokens } from "./mailed-tokens.ts";
import {
  deleteOtherSessions,
  deleteSession,
  passwordIs,
  selectPasswordHash,
  updatePassword,
} from "./queries.ts";

type UserActor = Extract<Actor, { kind: "user" }>;

/**
 * Sets a new password. Ends every other session of the user, but no access token, and every reset
 * link, including reset emails not sent yet. Authorized by the session and the current password.
 * Throws 400 when the current password is wrong or a concurrent request has changed it.
 */
export async function changePassword(
  ctx: Ctx,
  actor: UserActor,
  input: { currentPassword: string; newPassword: string },
): Promise<void> {
  const { db, now } = ctx.deps;
  const { userId } = actor;
  const from = await requirePassword(ctx, userId, input.currentPassword);
  const hashes = { from, to: await hashPassword(input.newPassword) };
  const isChanged = passwordIs(userId, hashes.to);
  const fact = {
    scopeId: userId,
    action: "user.password_changed",
  } as const;
  const [changed] = await runBatch(db, [
    updatePassword(db, userId, hashes, now()),
    deleteOtherSessions(db, userId, actor.sessionHash, hashes.to),
    deletePendingResets(db, actor.email, isChanged),
    deleteUserTokens(db, "reset", sql`iif(${isChanged}, ${userId}, null)`),
    auditStatement(ctx, fact, isChanged),
  ]);
  if (changed.length === 0) throw wrong();
}

/** Throws 400 unless this is the user's current password. Returns its hash. */
export async function requirePassword(
  { deps }: Ctx,
  userId: string,
  password: string,
): Promise<string> {
  const [stored] = await selectPasswordHash(deps.db, userId);
  if (!stored || !(await verifyPassword(password, stored.passwordHash))) throw wrong();
  return stored.passwordHash;
}

const wrong = () => invalidField("current_password", faultOf("wrong_password"));

/** Ends the actor's session or access token. */
export async function logOut(ctx: Ctx, actor: UserActor): Promise<void> {
  const { db } = ctx.deps;
  const { sessionHash, accessToken } = actor;
  if (!accessToken) {
    await deleteSession(db, sessionHash);
    return;
  }
  const [token] = await db.all<{ id: string }>(
    sql`select id from sessions where token_hash = ${sessionHash}`,
  );
  if (token) await endSession(ctx, actor, { id: token.id, kind: "access token" });
}
