export { capabilitiesOf, roleHolds, type Capability, type Role } from "./capabilities.ts";
export { openProject, requireRole, type AccessRule, type ProjectAccess } from "./open-project.ts";
export { openSession, type SessionAccess } from "./open-session.ts";
export { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS, type ProjectRow } from "./queries.ts";
export type { Credential } from "./credential.ts";
