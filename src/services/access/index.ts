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
export { openKeyed, type KeyedRule } from "./open-keyed.ts";
export { openProject, requireRole, type AccessRule, type ProjectAccess } from "./open-project.ts";
export { openSession, type SessionAccess, type UserActor } from "./open-session.ts";
export {
  openWorkspace,
  requireWorkspaceRole,
  type WorkspaceAccess,
  type WorkspaceRule,
} from "./open-workspace.ts";
export {
  SESSION_ABSOLUTE_MS,
  SESSION_IDLE_MS,
  type ProjectRow,
  type WorkspaceRow,
} from "./queries.ts";
export type { Credential } from "./credential.ts";
