import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { unauthorized } from "../../errors.ts";
import { DECOY_HASH, verifyPassword } from "../../lib/password-hash.ts";
import { auditStatement } from "../audit/index.ts";
import { selectUserByEmail } from "./queries.ts";
import { newSession } from "./sessions.ts";

/** A person as answers show one. */
export interface PublicUser {
  id: string;
  email: string;
  name: string;
}

/**
 * Starts a session. Returns the user and the session token for the cookie.
 * Throws the same unauthorized, after the same work, for an unknown email and a wrong password.
 * Authorised by the password itself.
 */
export async function logIn(
  ctx: Ctx,
  input: { email: string; password: string },
): Promise<{ user: PublicUser; token: string }> {
  const { db } = ctx.app;
  const [user] = await selectUserByEmail(db, input.email);
  const matches = await verifyPassword(input.password, user?.passwordHash ?? DECOY_HASH);
  if (!user || !matches) {
    await auditStatement(ctx, {
      scopeId: "",
      action: "user.login_failed",
      targetType: "user",
      targetId: user?.id ?? "",
      ...(user ? { userId: user.id } : {}),
    });
    throw unauthorized("invalid email or password");
  }
  const session = newSession(ctx.app, user.id);
  const fact = { scopeId: "", targetType: "user", targetId: user.id, userId: user.id } as const;
  await runBatch(db, [session.statement, auditStatement(ctx, { ...fact, action: "user.login" })]);
  return { user: { id: user.id, email: user.email, name: user.name }, token: session.token };
}
