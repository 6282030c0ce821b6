export {
  CAPABILITIES,
  capabilitiesOf,
  holdersOf,
  isTestPrefix,
  keyCapabilities,
  roleHolds,
  TEST_PREFIX,
  usableByKey,
  type Capability,
  type Role,
} from "./capabilities.ts";
export { authorizeKey } from "./authorize-key.ts";
export { authorizeProject, requireRole, type ProjectAccess } from "./authorize-project.ts";
export { actingRole, authorizeSession, requireProof, type UserActor } from "./authorize-session.ts";
export {
  authorizeWorkspace,
  requireWorkspaceRole,
  type WorkspaceAccess,
} from "./authorize-workspace.ts";
export { projectsOfKeys } from "./find-project-of-key.ts";
export {
  SESSION_ABSOLUTE_MS,
  SESSION_IDLE_MS,
  type ProjectRow,
  type WorkspaceRow,
} from "./queries.ts";
export { ACCESS_TOKEN_PREFIX, isAccessToken, type Credential } from "./credential.ts";
export type { Reach } from "./passes.ts";
