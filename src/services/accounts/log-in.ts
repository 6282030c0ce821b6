import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import { DECOY_HASH, verifyPassword } from "../../lib/password-hash.ts";
import { accountAuditStatement } from "../audit/index.ts";
import { selectUserByEmail, sessionExists } from "./queries.ts";
import { newSession } from "./sessions.ts";

/** A user as API answers show it. */
export interface PublicUser {
  id: string;
  email: string;
  name: string;
}

/**
 * Starts a session. Returns the user and the session token for the cookie. Authorized by the
 * password itself.
 * Throws the same 401 error after the same amount of work for an unknown email and for a wrong
 * password. Also throws it if the password changes concurrently, because the session would outlive
 * the old password.
 */
export async function logIn(
  ctx: Ctx,
  input: { email: string; password: string },
): Promise<{ user: PublicUser; token: string }> {
  const { db } = ctx.deps;
  const [user] = await selectUserByEmail(db, input.email);
  const matches = await verifyPassword(input.password, user?.passwordHash ?? DECOY_HASH);
  if (user && matches) {
    const session = newSession(ctx, user);
    const isStored = sessionExists(session.tokenHash);
    const [stored] = await runBatch(db, [
      session.statement,
      accountAuditStatement(ctx, { action: "user.login", userId: user.id }, isStored),
    ]);
    if (stored.meta.changes > 0)
      return { user: { id: user.id, email: user.email, name: user.name }, token: session.token };
  }
  await accountAuditStatement(ctx, { action: "user.login_failed", userId: user?.id });
  throw refusal("wrong_login", {});
}
