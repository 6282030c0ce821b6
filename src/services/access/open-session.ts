import type { App } from "../../app.ts";
import type { Actor } from "../../context.ts";
import { runBatch, type BatchResults, type Statement } from "../../db/client.ts";
import { unauthorized } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { Credential } from "./credential.ts";
import { renewSession, selectKey, selectSessionUser } from "./queries.ts";
import { WANTED, wrongKey } from "./refuse-key.ts";

/** The user behind a session cookie, and the results of the reads that rode along. */
export interface SessionAccess<Reads extends readonly Statement[]> {
  actor: UserActor;
  reads: BatchResults<Reads>;
}

/**
 * The access check of routes that need a user but no project, in one D1 round trip.
 * `reads` makes the caller's own statements, run in the same round trip, from the session's hash.
 * Throws forbidden for public keys, and unauthorized for other keys and for missing, unknown and
 * expired sessions alike.
 */
export async function openSession<const Reads extends readonly Statement[]>(
  app: App,
  credential: Credential,
  reads: (tokenHash: string) => Reads,
): Promise<SessionAccess<Reads>> {
  if (credential.kind === "bearer") throw await refusalOfKey(app, credential.key);
  if (credential.kind !== "cookie") throw unauthorized("a login session is required");
  const tokenHash = sha256Hex(credential.token);
  const [, [user], ...results] = await runBatch(app.db, [
    renewSession(app.db, tokenHash, app.now()),
    selectSessionUser(app.db, tokenHash, app.now()),
    ...reads(tokenHash),
  ]);
  if (!user) throw unauthorized("session expired or invalid: log in again");
  return { actor: userActor(user, tokenHash), reads: results };
}

/** Makes the refusal of an API key, which never opens a session's door; a valid one learns its kind. */
async function refusalOfKey(app: App, key: string) {
  const [row] = await selectKey(app.db, sha256Hex(key));
  return row ? wrongKey(row.type, WANTED.session) : unauthorized("a login session is required");
}

export type UserActor = Extract<Actor, { kind: "user" }>;

/** The actor of a logged-in user. */
export function userActor(
  user: { id: string; email: string; name: string },
  sessionHash: string,
): UserActor {
  return { kind: "user", userId: user.id, email: user.email, name: user.name, sessionHash };
}
