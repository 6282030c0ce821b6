import type { LicensedFeature } from "../../src/services/licensing/index.ts";

/** API reference §2.8: routes that need a licence; `team` unlocks all, `pro` all but members. */
export const LICENSED: Record<string, LicensedFeature> = {
  "POST /projects/:x/webhooks": "webhooks",
  "GET /projects/:x/webhooks": "webhooks",
  "GET /projects/:x/webhooks/:x": "webhooks",
  "PATCH /projects/:x/webhooks/:x": "webhooks",
  "DELETE /projects/:x/webhooks/:x": "webhooks",
  "GET /projects/:x/webhooks/:x/deliveries": "webhooks",
  "GET /projects/:x/webhooks/:x/deliveries/:x": "webhooks",
  "POST /projects/:x/webhooks/:x/test": "webhooks",
  "POST /projects/:x/webhooks/:x/deliveries/:x/replay": "webhooks",
  "GET /projects/:x/audit-log": "audit log",
  "GET /workspaces/:x/audit-log": "audit log",
  "GET /projects/:x/analytics/overview": "analytics",
  "GET /projects/:x/analytics/refusals": "analytics",
  "POST /workspaces/:x/members": "workspace members",
  "POST /workspaces/:x/users": "workspace members",
  "PATCH /workspaces/:x/members/:x": "workspace members",
  "POST /workspaces/:x/invitations": "workspace members",
  "POST /workspaces/:x/invitations/:x/resend": "workspace members",
};
