import { API_KEY_TYPES, ROLES } from "../../db/schema/index.ts";
import { forbidden } from "../../errors.ts";

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

/** All capabilities, in the matrix's order. `Object.keys` does not keep the type of the keys. */
export const CAPABILITIES = Object.keys(MATRIX) as Capability[];

/** Every capability of a role, in the matrix's order; what `GET /auth/me` shows. */
export function capabilitiesOf(role: Role): Capability[] {
  return CAPABILITIES.filter((capability) => roleHolds(role, capability));
}

type KeyType = (typeof API_KEY_TYPES)[number];

/** The capabilities that open a door to each type of key (API reference §2.2 and §2.3). */
const OF_KEY_TYPE: Record<KeyType, readonly Capability[]> = {
  sk: ["read", "projects:write", "subscribers:write", "send:transactional", "send:broadcast"],
  pk: ["subscribers:write"],
  sdk: ["read", "subscribers:write", "send:transactional", "send:broadcast"],
};

/** Lists the capabilities that a key of this type can use, in the matrix's order. */
export function usableByKey(type: KeyType): readonly Capability[] {
  return OF_KEY_TYPE[type];
}

/** A key's type and the capabilities stored with it: null for a key older than capabilities. */
export interface KeyGrant {
  type: KeyType;
  capabilities: string[] | null;
}

/**
 * Lists what a key may do, in the matrix's order: a key older than capabilities keeps all that its
 * type can use (decision D56).
 */
export function keyCapabilities({ type, capabilities }: KeyGrant): Capability[] {
  return usableByKey(type).filter((usable) => capabilities?.includes(usable) ?? true);
}

/** Throws forbidden unless the key holds the capability; returns all that it holds. */
export function requireKeyCapability(key: KeyGrant, capability: Capability): Capability[] {
  const held = keyCapabilities(key);
  if (!held.includes(capability))
    throw forbidden(`this API key lacks the capability ${capability}`);
  return held;
}
