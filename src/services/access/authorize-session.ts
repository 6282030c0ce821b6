import type { Deps } from "../../deps.ts";
import type { Actor } from "../../context.ts";
import { runBatch, type BatchResults, type Statement } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { roleHolds, type Capability, type Role } from "./capabilities.ts";
import type { Credential } from "./credential.ts";
import { sessionPasses, type Reach, type SessionAt } from "./passes.ts";
import { renewSession, selectKey, selectSessionUser, type SessionUser } from "./queries.ts";
import { noCredential, WANTED, wrongKey } from "./refuse-key.ts";
import { runGuarded } from "./run-guarded.ts";

/** The user of a session or access token and the results of the caller's reads. */
export interface SessionAccess<Reads extends readonly Statement[]> {
  actor: UserActor;
  reads: BatchResults<Reads>;
}

/**
 * Authorizes a request that needs a user but no project, in one D1 round trip. `reads` receives the
 * hash of the session token and returns the caller's statements, which run in the same round trip,
 * and only for a live session with the reach.
 * Throws 403 for public keys and access tokens without the reach. Throws 401 for other keys and for
 * missing, unknown and expired sessions and access tokens.
 */
export async function authorizeSession<const Reads extends readonly Statement[]>(
  deps: Deps,
  credential: Credential,
  reads: (tokenHash: string) => Reads,
  reach: Reach = "person",
): Promise<SessionAccess<Reads>> {
  const session = await sessionOf(deps, credential, reach);
  const [actor, results] = await runGuarded(
    deps.db,
    {
      check: selectSession(deps, session),
      passes: sessionPasses(session, reach),
      reads: reads(session.tokenHash),
    },
    async ([, [user]]) => {
      const found = actorOf(deps, user, session);
      if (reach !== "any") requireReach(found);
      return found;
    },
  );
  return { actor, reads: results };
}

/** Returns the session of a credential. Throws like `authorizeSession` for other credentials. */
export async function sessionOf(
  deps: Deps,
  credential: Credential,
  reach: Reach,
): Promise<SessionAt> {
  const wanted = reach === "session" ? WANTED.session : WANTED.person;
  if (credential.kind === "bearer") throw await refusalOfKey(deps, credential.key, wanted);
  if (credential.kind === "none") throw noCredential(wanted);
  if (credential.kind === "access_token" && reach === "session") throw wrongKey("pat", wanted);
  return sessionAt(deps, credential);
}

/** Returns the session or access token of a credential that has one. */
export const sessionAt = (
  { now }: Deps,
  { kind, token }: Extract<Credential, { token: string }>,
): SessionAt => ({
  tokenHash: sha256Hex(token),
  isAccessToken: kind === "access_token",
  now: now(),
});

/** The statements that record the use of a session and select its user. */
export const selectSession = ({ db }: Deps, session: SessionAt) =>
  [renewSession(db, session.tokenHash, session.now), selectSessionUser(db, session)] as const;

/** Returns the actor of a session or access token. Throws 401 without its user. */
export function actorOf(
  { config }: Deps,
  user: SessionUser | undefined,
  { tokenHash, isAccessToken }: SessionAt,
): UserActor {
  if (!user) throw refusal(isAccessToken ? "access_token_over" : "session_over", {});
  const { tokenName, projectIds } = user;
  return {
    kind: "user",
    userId: user.id,
    email: user.email,
    name: user.name,
    sessionHash: tokenHash,
    isProven: config.deploymentMode !== "cloud" || user.verifiedAt !== null,
    ...(tokenName !== null && {
      accessToken: {
        name: tokenName,
        projectIds: projectIds === null ? null : (JSON.parse(projectIds) as string[]), // stored ids
      },
    }),
  };
}

/**
 * Throws 403 if the request has an access token for single projects, and the project is none of
 * them. Without a project, it reaches beyond them.
 */
export function requireReach({ accessToken }: UserActor, projectId?: string): void {
  const reached = accessToken?.projectIds;
  if (reached && (projectId === undefined || !reached.includes(projectId)))
    throw refusal("access_token_of_other_projects", {});
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
async function refusalOfKey(deps: Deps, key: string, wanted: string) {
  const [[row]] = await runBatch(deps.db, [selectKey(deps.db, sha256Hex(key))]);
  return row ? wrongKey(row.type, wanted) : noCredential(wanted);
}

export type UserActor = Extract<Actor, { kind: "user" }>;
