import type { Deps } from "../../deps.ts";
import type { Actor } from "../../context.ts";
import { runBatch, type BatchResults, type Statement } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { roleHolds, type Capability, type Role } from "./capabilities.ts";
import type { Credential } from "./credential.ts";
import { sessionPasses, type SessionAt } from "./passes.ts";
import { renewSession, selectKey, selectSessionUser } from "./queries.ts";
import { WANTED, wrongKey } from "./refuse-key.ts";
import { runGuarded } from "./run-guarded.ts";

/** The user of a session cookie and the results of the caller's reads. */
export interface SessionAccess<Reads extends readonly Statement[]> {
  actor: UserActor;
  reads: BatchResults<Reads>;
}

/**
 * Authorizes a request that needs a user but no project, in one D1 round trip. `reads` receives the
 * hash of the session token and returns the caller's statements, which run in the same round trip,
 * and only for a live session.
 * Throws 403 for public keys. Throws 401 for other keys and for missing, unknown and
 * expired sessions.
 */
export async function authorizeSession<const Reads extends readonly Statement[]>(
  deps: Deps,
  credential: Credential,
  reads: (tokenHash: string) => Reads,
): Promise<SessionAccess<Reads>> {
  const tokenHash = await tokenHashOf(deps, credential);
  const session = { tokenHash, now: deps.now() };
  const [actor, results] = await runGuarded(
    deps.db,
    {
      check: selectSession(deps, session),
      passes: sessionPasses(session),
      reads: reads(tokenHash),
    },
    async ([, [user]]) => actorOf(deps, user, tokenHash),
  );
  return { actor, reads: results };
}

/** Returns the hash of a session token. Throws like `authorizeSession` for other credentials. */
export async function tokenHashOf(deps: Deps, credential: Credential): Promise<string> {
  if (credential.kind === "bearer") throw await refusalOfKey(deps, credential.key);
  if (credential.kind !== "cookie") throw refusal("session_required", {});
  return sha256Hex(credential.token);
}

/** The statements that record the use of a session and select its user. */
export const selectSession = ({ db }: Deps, { tokenHash, now }: SessionAt) =>
  [renewSession(db, tokenHash, now), selectSessionUser(db, tokenHash, now)] as const;

/** Returns the actor of a session. Throws 401 without its user. */
export function actorOf(
  { config }: Deps,
  user: SessionUser | undefined,
  tokenHash: string,
): UserActor {
  if (!user) throw refusal("session_over", {});
  return {
    kind: "user",
    userId: user.id,
    email: user.email,
    name: user.name,
    sessionHash: tokenHash,
    isProven: config.deploymentMode !== "cloud" || user.verifiedAt !== null,
  };
}

/** Returns the user's effective role. An account with an unverified address acts as a viewer. */
export function actingRole({ isProven }: UserActor, role: Role): Role {
  return isProven ? role : "viewer";
}

/**
 * Throws 403 if an account with an unverified address needs more than a viewer's capabilities.
 * Until it is verified, it cannot email anyone else (decision D35).
 */
export function requireProof(actor: UserActor, capability: Capability): void {
  if (!actor.isProven && !roleHolds("viewer", capability))
    throw refusal("address_not_confirmed", {});
}

/**
 * Returns the error for an API key on a session route. The error for a valid key names its kind.
 */
async function refusalOfKey(deps: Deps, key: string) {
  const [[row]] = await runBatch(deps.db, [selectKey(deps.db, sha256Hex(key))]);
  return row ? wrongKey(row.type, WANTED.session) : refusal("session_required", {});
}

export type UserActor = Extract<Actor, { kind: "user" }>;

interface SessionUser {
  id: string;
  email: string;
  name: string;
  verifiedAt: number | null;
}
