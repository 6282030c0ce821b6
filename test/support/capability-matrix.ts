import type { ROLES } from "../../src/db/schema/index.ts";

/** The roles that hold each capability (API reference §2.6). */
export const HOLDERS: Record<string, (typeof ROLES)[number][]> = {
  read: ["owner", "admin", "developer", "member", "viewer"],
  "audit:read": ["owner", "admin"],
  "projects:write": ["owner", "admin"],
  "projects:delete": ["owner", "admin"],
  "api_keys:write": ["owner", "admin", "developer"],
  "webhooks:write": ["owner", "admin", "developer"],
  "templates:write": ["owner", "admin", "member"],
  "subscribers:write": ["owner", "admin", "developer", "member"],
  "events:write": ["owner", "admin", "developer", "member"],
  "send:transactional": ["owner", "admin", "developer", "member"],
  "send:broadcast": ["owner", "admin", "member"],
  "automations:write": ["owner", "admin", "member"],
  "suppressions:write": ["owner", "admin", "developer"],
  "workspace:write": ["owner"],
  "members:write": ["owner"],
};
