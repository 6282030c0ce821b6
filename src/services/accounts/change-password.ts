import type { Actor, Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { badRequest } from "../../errors.ts";
import { hashPassword, verifyPassword } from "../../lib/password-hash.ts";
import { deleteUserTokens } from "./mailed-tokens.ts";
import {
  deleteOtherSessions,
  deleteSession,
  selectPasswordHash,
  updatePassword,
} from "./queries.ts";

type UserActor = Extract<Actor, { kind: "user" }>;

/**
 * Sets a new password and ends every other session of the user. Authorised by the session and the
 * current password.
 * Throws bad_request when the current password is wrong or another request has changed it in the
 * meantime.
 */
export async function changePassword(
  ctx: Ctx,
  actor: UserActor,
  input: { currentPassword: string; newPassword: string },
): Promise<void> {
  const { db, now } = ctx.deps;
  const [stored] = await selectPasswordHash(db, actor.userId);
  if (!stored || !(await verifyPassword(input.currentPassword, stored.passwordHash))) throw wrong();
  const hashes = { from: stored.passwordHash, to: await hashPassword(input.newPassword) };
  const [changed] = await runBatch(db, [
    updatePassword(db, actor.userId, hashes, now()),
    deleteOtherSessions(db, actor.userId, actor.sessionHash, hashes.to),
    deleteUserTokens(db, "reset", actor.userId),
  ]);
  if (changed.length === 0) throw wrong();
}

const wrong = () => badRequest("current_password is wrong");

/** Ends the actor's session. */
export async function logOut(ctx: Ctx, actor: UserActor): Promise<void> {
  await deleteSession(ctx.deps.db, actor.sessionHash);
}
