export {
  CAPABILITIES,
  capabilitiesOf,
  holdersOf,
  keyCapabilities,
  roleHolds,
  usableByKey,
  type Capability,
  type Role,
} from "./capabilities.ts";
export { authorizeKey, type KeyedRule } from "./authorize-key.ts";
export {
  authorizeProject,
  requireRole,
  type AccessRule,
  type ProjectAccess,
} from "./authorize-project.ts";
export { authorizeSession, type SessionAccess, type UserActor } from "./authorize-session.ts";
export {
  authorizeWorkspace,
  requireWorkspaceRole,
  type WorkspaceAccess,
  type WorkspaceRule,
} from "./authorize-workspace.ts";
export {
  SESSION_ABSOLUTE_MS,
  SESSION_IDLE_MS,
  type ProjectRow,
  type WorkspaceRow,
} from "./queries.ts";
export type { Credential } from "./credential.ts";
