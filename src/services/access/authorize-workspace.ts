import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { forbidden, notFound } from "../../errors.ts";
import { requireLicense, type LicensedFeature } from "../licensing/index.ts";
import { roleHolds, type Capability, type Role } from "./capabilities.ts";
import type { Credential } from "./credential.ts";
import { authorizeSession, type SessionAccess } from "./authorize-session.ts";
import { selectWorkspaceWithRole, type WorkspaceRow } from "./queries.ts";

/** The capability that a workspace route requires. API keys belong to projects and are refused. */
export interface WorkspaceRule {
  capability: Capability;
  /** The id of the member that the request acts on. For one's own id, membership is enough. */
  selfId?: string | undefined;
  /** The feature that needs a licence. */
  license?: LicensedFeature | undefined;
}

/** A workspace, the authorised actor, and the results of the caller's reads. */
export interface WorkspaceAccess<Reads extends readonly Statement[]> extends SessionAccess<Reads> {
  workspace: WorkspaceRow;
}

/**
 * Authorises a request for a workspace: reads actor, workspace and role in one D1 round trip.
 * `reads` are the caller's statements, which run in the same round trip. Their results are safe to
 * use once this function returns.
 * Throws unauthorized, then license_required, not_found, forbidden (API reference §2.9).
 */
export async function authorizeWorkspace<const Reads extends readonly Statement[]>(
  deps: Deps,
  credential: Credential,
  workspaceId: string,
  rule: WorkspaceRule,
  reads: Reads,
): Promise<WorkspaceAccess<Reads>> {
  const session = await authorizeSession(deps, credential, (tokenHash) => [
    selectWorkspaceWithRole(deps.db, workspaceId, tokenHash),
    ...reads,
  ]);
  const { actor } = session;
  const [[found], ...results] = session.reads;
  if (rule.license) await requireLicense(deps, rule.license);
  if (!found) throw notFound("workspace");
  const { role, ...workspace } = found;
  requireWorkspaceRole(role, actor.userId === rule.selfId ? "read" : rule.capability);
  return { actor, workspace, reads: results };
}

/** Throws forbidden if there is no role in the workspace or it lacks the capability. */
export function requireWorkspaceRole(role: Role | null, capability: Capability): void {
  if (!role) throw forbidden("you have no access to this workspace");
  if (!roleHolds(role, capability))
    throw forbidden(`your role (${role}) lacks the capability ${capability}`);
}
