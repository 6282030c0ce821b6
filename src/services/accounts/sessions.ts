import type { Ctx } from "../../context.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { randomToken } from "../../lib/random-token.ts";
import { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from "../access/index.ts";
import { insertSession } from "./queries.ts";

/**
 * Returns a new session: the token for the cookie, its SHA-256, and the statement that stores it.
 * The statement stores nothing if the user's password has changed in the meantime. A later password
 * change ends the session.
 */
export function newSession(ctx: Ctx, user: { id: string; passwordHash: string }) {
  const { deps, clientIp, userAgent } = ctx;
  const token = randomToken();
  const tokenHash = sha256Hex(token);
  const now = deps.now();
  const session = {
    tokenHash,
    id: deps.newId(),
    ipAddress: clientIp,
    userAgent,
    userId: user.id,
    createdAt: now,
    expiresAt: now + SESSION_IDLE_MS,
    endsAt: now + SESSION_ABSOLUTE_MS,
  };
  return { token, tokenHash, statement: insertSession(deps.db, session, user.passwordHash) };
}
