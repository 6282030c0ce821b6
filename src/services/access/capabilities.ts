import { API_KEY_TYPES, ROLES } from "../../db/schema/index.ts";
import { refusal } from "../../errors.ts";

export type Role = (typeof ROLES)[number];

const OWNER: Role[] = ["owner"];
const MANAGERS: Role[] = ["owner", "admin"];
const BUILDERS: Role[] = ["owner", "admin", "developer"];
const MARKETERS: Role[] = ["owner", "admin", "member"];
const EDITORS: Role[] = ["owner", "admin", "developer", "member"];

/** The capability matrix: the roles that hold each capability. */
const MATRIX = {
  read: [...ROLES],
  "audit:read": MANAGERS,
  "projects:write": MANAGERS,
  "projects:delete": MANAGERS,
  "api_keys:write": BUILDERS,
  "webhooks:write": BUILDERS,
  "templates:write": MARKETERS,
  "subscribers:write": EDITORS,
  "events:write": EDITORS,
  "send:transactional": EDITORS,
  "send:broadcast": MARKETERS,
  "automations:write": MARKETERS,
  "suppressions:write": BUILDERS,
  "workspace:write": OWNER,
  "members:write": OWNER,
} satisfies Record<string, readonly Role[]>;

export type Capability = keyof typeof MATRIX;

/** Returns true if a role holds a capability. */
export function roleHolds(role: Role, capability: Capability): boolean {
  return MATRIX[capability].includes(role);
}

/** Returns the roles that hold a capability, for use in SQL conditions. */
export function holdersOf(capability: Capability): Role[] {
  return MATRIX[capability];
}

/** All capabilities in the order of the matrix. `Object.keys` loses the type of the keys. */
export const CAPABILITIES = Object.keys(MATRIX) as Capability[];

/** Returns the capabilities of a role in the order of the matrix. `GET /auth/me` shows them. */
export function capabilitiesOf(role: Role): Capability[] {
  return CAPABILITIES.filter((capability) => roleHolds(role, capability));
}

type KeyType = (typeof API_KEY_TYPES)[number];

/** The capabilities that each type of key can use (API reference §2.2 and §2.3). */
const OF_KEY_TYPE: Record<KeyType, readonly Capability[]> = {
  sk: [
    "read",
    "projects:write",
    "subscribers:write",
    "events:write",
    "send:transactional",
    "send:broadcast",
    "automations:write",
  ],
  pk: ["subscribers:write"],
  sdk: ["read", "subscribers:write", "events:write", "send:transactional", "send:broadcast"],
};

/** What a test key cannot use: the mails that it causes would not be test mails. */
const NOT_FOR_TESTS: readonly Capability[] = [
  "events:write",
  "send:broadcast",
  "automations:write",
];

/** Returns the capabilities that a key of this type can use, in the order of the matrix. */
export function usableByKey(type: KeyType, isTest = false): readonly Capability[] {
  return OF_KEY_TYPE[type].filter((one) => !isTest || !NOT_FOR_TESTS.includes(one));
}

/** The beginning of a test key: other keys continue with letters and digits alone. */
export const TEST_PREFIX = "sk_test_";

/** Returns true for the stored beginning of a test key. */
export const isTestPrefix = (prefix: string): boolean => prefix.startsWith(TEST_PREFIX);

/** The type of a key and its stored capabilities. */
export interface KeyGrant {
  type: KeyType;
  capabilities: string[];
}

/** Returns the capabilities of a key in the order of the matrix (decision D32). */
export function keyCapabilities({ type, capabilities }: KeyGrant): Capability[] {
  return usableByKey(type).filter((usable) => capabilities.includes(usable));
}

/** Returns all capabilities of the key. Throws 403 if the key lacks the given capability. */
export function requireKeyCapability(key: KeyGrant, capability: Capability): Capability[] {
  const held = keyCapabilities(key);
  if (!held.includes(capability)) throw refusal("key_lacks_capability", { capability });
  return held;
}
