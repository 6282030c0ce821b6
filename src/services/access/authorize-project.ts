import type { Deps } from "../../deps.ts";
import type { Actor } from "../../context.ts";
import type { BatchResults, Statement } from "../../db/client.ts";
import { notFound, refusal } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { requireLicense, type LicensedFeature } from "../licensing/index.ts";
import type { Credential } from "./credential.ts";
import {
  actingRole,
  actorOf,
  requireProof,
  requireReach,
  selectSession,
  sessionAt,
} from "./authorize-session.ts";
import {
  capabilitiesOf,
  isTestPrefix,
  requireKeyCapability,
  roleHolds,
  type Capability,
  type Role,
} from "./capabilities.ts";
import { keyPasses, rolePasses } from "./passes.ts";
import { noCredential, WANTED, wrongKey } from "./refuse-key.ts";
import { runGuarded } from "./run-guarded.ts";
import { selectKey, selectProjectWithRole, touchKey, type ProjectRow } from "./queries.ts";

/** The credentials that a route accepts and the capability that it requires. */
export interface AccessRule {
  auth: "cookie" | "cookie_or_key";
  capability: Capability;
  method: string;
  license?: LicensedFeature;
}

/** A project, the authorized actor, and the results of the caller's reads. */
export interface ProjectAccess<Reads extends readonly Statement[] = []> {
  actor: Actor;
  project: ProjectRow;
  capabilities: Capability[];
  reads: BatchResults<Reads>;
}

const NOBODY = "";

/**
 * Authorizes a request for a project: reads actor, project and role in one D1 round trip. `reads`
 * are the caller's statements, which run in the same round trip, and only for a caller who passes.
 * Throws 401, then license_required, not_found, 403 (API reference §2.9).
 */
export async function authorizeProject<const Reads extends readonly Statement[]>(
  deps: Deps,
  credential: Credential,
  projectId: string,
  rule: AccessRule,
  reads: Reads,
): Promise<ProjectAccess<Reads>> {
  const wanted = rule.auth === "cookie" ? WANTED.person : WANTED.project;
  if (credential.kind === "none") throw noCredential(wanted);
  if (credential.kind === "bearer")
    return openWithKey(deps, credential.key, projectId, rule, reads);
  const { db } = deps;
  const session = sessionAt(deps, credential);
  const check = [
    ...selectSession(deps, session),
    selectProjectWithRole(db, projectId, session.tokenHash),
  ] as const;
  const passes = rolePasses("projects", projectId, session, rule.capability);
  const [entered, results] = await runGuarded(
    db,
    { check, passes, reads },
    async ([, [user], [found]]) => {
      const actor = actorOf(deps, user, session);
      if (rule.license) await requireLicense(deps, rule.license);
      if (!found) throw notFound("project");
      const { role, ...project } = found;
      const held = requireRole(role, rule.capability);
      requireReach(actor, projectId);
      requireProof(actor, rule.capability);
      const capabilities = capabilitiesOf(actingRole(actor, held));
      return { actor, project, capabilities };
    },
  );
  return { ...entered, reads: results };
}

async function openWithKey<Reads extends readonly Statement[]>(
  deps: Deps,
  key: string,
  projectId: string,
  rule: AccessRule,
  reads: Reads,
): Promise<ProjectAccess<Reads>> {
  const { db } = deps;
  const keyHash = sha256Hex(key);
  const check = [
    touchKey(db, keyHash, deps.now()),
    selectKey(db, keyHash),
    selectProjectWithRole(db, projectId, NOBODY),
  ] as const;
  const types = rule.auth === "cookie" ? [] : (["sk"] as const);
  const passes = keyPasses(keyHash, types, rule.capability, projectId);
  const [entered, results] = await runGuarded(
    db,
    { check, passes, reads },
    async ([, [row], [found]]) => {
      if (!row) throw refusal("invalid_api_key", {});
      if (rule.auth === "cookie") throw wrongKey(row.type, WANTED.person);
      if (row.type !== "sk") throw wrongKey(row.type, WANTED.project);
      if (rule.license) await requireLicense(deps, rule.license);
      if (!found) throw notFound("project");
      if (row.projectId !== projectId) throw refusal("key_of_other_project", {});
      // A write capability does not imply read access, so a GET by key also needs `read`.
      if (rule.method === "GET") requireKeyCapability(row, "read");
      const capabilities = requireKeyCapability(row, rule.capability);
      const { role: _role, ...project } = found;
      const actor: Actor = {
        kind: "project_key",
        keyId: row.id,
        projectId,
        rateLimitPerMinute: row.rateLimitPerMinute ?? undefined,
        isTest: isTestPrefix(row.prefix),
      };
      return { actor, project, capabilities };
    },
  );
  return { ...entered, reads: results };
}

/** Returns the role. Throws 403 if there is no role or it lacks the capability. */
export function requireRole(role: Role | null | undefined, capability: Capability): Role {
  if (!role) throw refusal("no_project_access", {});
  if (!roleHolds(role, capability)) throw refusal("role_lacks_capability", { role, capability });
  return role;
}
