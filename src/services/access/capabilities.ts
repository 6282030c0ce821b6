import { ROLES } from "../../db/schema/index.ts";

export type Role = (typeof ROLES)[number];

const OWNER: Role[] = ["owner"];
const MANAGERS: Role[] = ["owner", "admin"];
const BUILDERS: Role[] = ["owner", "admin", "developer"];
const MARKETERS: Role[] = ["owner", "admin", "member"];
const EDITORS: Role[] = ["owner", "admin", "developer", "member"];

/** The one capability matrix: which roles may do what. */
const MATRIX = {
  read: [...ROLES],
  "audit:read": MANAGERS,
  "projects:write": MANAGERS,
  "projects:delete": MANAGERS,
  "api_keys:write": BUILDERS,
  "webhooks:write": BUILDERS,
  "templates:write": MARKETERS,
  "subscribers:write": EDITORS,
  "send:transactional": EDITORS,
  "send:broadcast": MARKETERS,
  "suppressions:write": BUILDERS,
  "workspace:write": OWNER,
  "members:write": OWNER,
} satisfies Record<string, readonly Role[]>;

export type Capability = keyof typeof MATRIX;

/** Tells whether a role holds a capability. */
export function roleHolds(role: Role, capability: Capability): boolean {
  return MATRIX[capability].includes(role);
}

/** The roles that hold a capability: for conditions inside SQL. */
export function holdersOf(capability: Capability): Role[] {
  return MATRIX[capability];
}

/** Every capability of a role, in the matrix's order; what `GET /auth/me` shows. */
export function capabilitiesOf(role: Role): Capability[] {
  return (Object.keys(MATRIX) as Capability[]).filter((capability) => roleHolds(role, capability));
}
