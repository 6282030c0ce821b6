import type { App } from "../../app.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { randomToken } from "../../lib/random-token.ts";
import { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from "../access/index.ts";
import { insertSession } from "./queries.ts";

/** A new session: the token for the cookie, and the statement that stores its SHA-256. */
export function newSession(app: App, userId: string) {
  const token = randomToken();
  const now = app.now();
  const statement = insertSession(app.db, {
    tokenHash: sha256Hex(token),
    userId,
    createdAt: now,
    expiresAt: now + SESSION_IDLE_MS,
    endsAt: now + SESSION_ABSOLUTE_MS,
  });
  return { token, statement };
}
