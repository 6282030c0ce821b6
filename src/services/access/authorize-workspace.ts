import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { notFound, refusal } from "../../errors.ts";
import { requireLicense, type LicensedFeature } from "../licensing/index.ts";
import { roleHolds, type Capability, type Role } from "./capabilities.ts";
import type { Credential } from "./credential.ts";
import {
  actorOf,
  requireProof,
  requireReach,
  selectSession,
  sessionOf,
  type SessionAccess,
} from "./authorize-session.ts";
import { rolePasses } from "./passes.ts";
import { selectWorkspaceWithRole, type WorkspaceRow } from "./queries.ts";
import { runGuarded } from "./run-guarded.ts";

/** The capability that a workspace route requires. API keys belong to projects and are rejected. */
export interface WorkspaceRule {
  capability: Capability;
  /** The id of the member that the request acts on. Acting on oneself requires membership only. */
  selfId?: string | undefined;
  license?: LicensedFeature | undefined;
}

/** A workspace, the authorized actor, and the results of the caller's reads. */
export interface WorkspaceAccess<Reads extends readonly Statement[]> extends SessionAccess<Reads> {
  workspace: WorkspaceRow;
}

/**
 * Authorizes a request for a workspace: reads actor, workspace and role in one D1 round trip.
 * `reads` are the caller's statements, which run in the same round trip, and only for a caller who
 * passes.
 * Throws 401, then license_required, not_found, 403 (API reference §2.9).
 */
export async function authorizeWorkspace<const Reads extends readonly Statement[]>(
  deps: Deps,
  credential: Credential,
  workspaceId: string,
  rule: WorkspaceRule,
  reads: Reads,
): Promise<WorkspaceAccess<Reads>> {
  const session = await sessionOf(deps, credential, "person");
  const { capability, selfId, license } = rule;
  const [entered, results] = await runGuarded(
    deps.db,
    {
      check: [
        ...selectSession(deps, session),
        selectWorkspaceWithRole(deps.db, workspaceId, session.tokenHash),
      ] as const,
      passes: rolePasses("workspaces", workspaceId, session, capability, selfId),
      reads,
    },
    async ([, [user], [found]]) => {
      const actor = actorOf(deps, user, session);
      if (license) await requireLicense(deps, license);
      if (!found) throw notFound("workspace");
      const { role, ...workspace } = found;
      const needed = actor.userId === selfId ? "read" : capability;
      requireWorkspaceRole(role, needed);
      requireReach(actor);
      requireProof(actor, needed);
      return { actor, workspace };
    },
  );
  return { ...entered, reads: results };
}

/** Throws 403 if there is no role in the workspace or it lacks the capability. */
export function requireWorkspaceRole(role: Role | null, capability: Capability): void {
  if (!role) throw refusal("no_workspace_access", {});
  if (!roleHolds(role, capability)) throw refusal("role_lacks_capability", { role, capability });
}
