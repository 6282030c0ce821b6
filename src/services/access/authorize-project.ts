import type { Deps } from "../../deps.ts";
import type { Actor } from "../../context.ts";
import { runBatch, type BatchResults, type Statement } from "../../db/client.ts";
import { AppError, forbidden, notFound, unauthorized } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { requireLicense, type LicensedFeature } from "../licensing/index.ts";
import type { Credential } from "./credential.ts";
import { userActor } from "./authorize-session.ts";
import {
  capabilitiesOf,
  requireKeyCapability,
  roleHolds,
  type Capability,
  type Role,
} from "./capabilities.ts";
import { WANTED, wrongKey } from "./refuse-key.ts";
import {
  renewSession,
  selectKey,
  selectProjectWithRole,
  selectSessionUser,
  touchKey,
  type ProjectRow,
} from "./queries.ts";

/** The credentials that a route accepts and the capability that it requires. */
export interface AccessRule {
  auth: "cookie" | "cookie_or_key";
  capability: Capability;
  /** The feature that needs a licence. */
  license?: LicensedFeature;
}

/** A project, the authorised actor, and the results of the caller's reads. */
export interface ProjectAccess<Reads extends readonly Statement[] = []> {
  actor: Actor;
  project: ProjectRow;
  /** All capabilities of the actor in the project. */
  capabilities: Capability[];
  reads: BatchResults<Reads>;
}

const NOBODY = "";

/**
 * Authorises a request for a project: reads actor, project and role in one D1 round trip. `reads`
 * are the caller's statements, which run in the same round trip. Their results are safe to use once
 * this function returns.
 * Throws unauthorized, then license_required, not_found, forbidden (API reference §2.9).
 */
export async function authorizeProject<const Reads extends readonly Statement[]>(
  deps: Deps,
  credential: Credential,
  projectId: string,
  rule: AccessRule,
  reads: Reads,
): Promise<ProjectAccess<Reads>> {
  if (credential.kind === "none") throw unauthorized("authentication required");
  if (credential.kind === "bearer")
    return openWithKey(deps, credential.key, projectId, rule, reads);
  const tokenHash = sha256Hex(credential.token);
  const [, [user], [found], ...results] = await runBatch(deps.db, [
    renewSession(deps.db, tokenHash, deps.now()),
    selectSessionUser(deps.db, tokenHash, deps.now()),
    selectProjectWithRole(deps.db, projectId, tokenHash),
    ...reads,
  ]);
  if (!user) throw unauthorized("session expired or invalid: log in again");
  if (rule.license) await requireLicense(deps, rule.license);
  if (!found) throw notFound("project");
  const { role, ...project } = found;
  const capabilities = capabilitiesOf(requireRole(role, rule.capability));
  return { actor: userActor(user, tokenHash), project, capabilities, reads: results };
}

async function openWithKey<Reads extends readonly Statement[]>(
  deps: Deps,
  key: string,
  projectId: string,
  rule: AccessRule,
  reads: Reads,
): Promise<ProjectAccess<Reads>> {
  const keyHash = sha256Hex(key);
  const [, [row], [found], ...results] = await runBatch(deps.db, [
    touchKey(deps.db, keyHash, deps.now()),
    selectKey(deps.db, keyHash),
    selectProjectWithRole(deps.db, projectId, NOBODY),
    ...reads,
  ]);
  if (!row) throw unauthorized("missing or invalid API key");
  if (rule.auth === "cookie") throw wrongKey(row.type, WANTED.session);
  if (row.type !== "sk") throw wrongKey(row.type, WANTED.project);
  if (rule.license) await requireLicense(deps, rule.license);
  if (!found) throw notFound("project");
  if (row.projectId !== projectId) throw forbidden("this API key belongs to another project");
  const capabilities = requireKeyCapability(row, rule.capability);
  const { role: _role, ...project } = found;
  const actor: Actor = {
    kind: "project_key",
    keyId: row.id,
    projectId,
    rateLimitPerMinute: row.rateLimitPerMinute ?? undefined,
  };
  return { actor, project, capabilities, reads: results };
}

/** Returns the role. Throws forbidden if there is no role or it lacks the capability. */
export function requireRole(role: Role | null | undefined, capability: Capability): Role {
  if (!role) throw forbidden("you have no access to this project");
  if (!roleHolds(role, capability))
    throw new AppError("forbidden", `your role (${role}) lacks the capability ${capability}`);
  return role;
}
