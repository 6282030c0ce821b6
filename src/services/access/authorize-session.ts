import type { Deps } from "../../deps.ts";
import type { Actor } from "../../context.ts";
import { runBatch, type BatchResults, type Statement } from "../../db/client.ts";
import { unauthorized } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { Credential } from "./credential.ts";
import { renewSession, selectKey, selectSessionUser } from "./queries.ts";
import { WANTED, wrongKey } from "./refuse-key.ts";

/** The user of a session cookie and the results of the caller's reads. */
export interface SessionAccess<Reads extends readonly Statement[]> {
  actor: UserActor;
  reads: BatchResults<Reads>;
}

/**
 * Authorises a request that needs a user but no project, in one D1 round trip. `reads` receives the
 * hash of the session token and returns the caller's statements, which run in the same round trip.
 * Throws forbidden for public keys. Throws unauthorized for other keys and for missing, unknown and
 * expired sessions.
 */
export async function authorizeSession<const Reads extends readonly Statement[]>(
  deps: Deps,
  credential: Credential,
  reads: (tokenHash: string) => Reads,
): Promise<SessionAccess<Reads>> {
  if (credential.kind === "bearer") throw await refusalOfKey(deps, credential.key);
  if (credential.kind !== "cookie") throw unauthorized("a login session is required");
  const tokenHash = sha256Hex(credential.token);
  const [, [user], ...results] = await runBatch(deps.db, [
    renewSession(deps.db, tokenHash, deps.now()),
    selectSessionUser(deps.db, tokenHash, deps.now()),
    ...reads(tokenHash),
  ]);
  if (!user) throw unauthorized("session expired or invalid: log in again");
  return { actor: userActor(user, tokenHash), reads: results };
}

/**
 * Returns the error for an API key on a session route. The error for a valid key names its kind.
 */
async function refusalOfKey(deps: Deps, key: string) {
  const [[row]] = await runBatch(deps.db, [selectKey(deps.db, sha256Hex(key))]);
  return row ? wrongKey(row.type, WANTED.session) : unauthorized("a login session is required");
}

export type UserActor = Extract<Actor, { kind: "user" }>;

/** Returns the actor for a logged-in user. */
export function userActor(
  user: { id: string; email: string; name: string },
  sessionHash: string,
): UserActor {
  return { kind: "user", userId: user.id, email: user.email, name: user.name, sessionHash };
}
