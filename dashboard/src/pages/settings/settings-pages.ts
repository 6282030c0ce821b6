export const SETTINGS_PAGES = [
  { to: "/p/$projectId/settings/general", label: "general" },
  { to: "/p/$projectId/settings/brand", label: "brand" },
  { to: "/p/$projectId/settings/sending", label: "sending" },
  { to: "/p/$projectId/settings/bounces", label: "bounces" },
  { to: "/p/$projectId/settings/consent", label: "consent" },
  { to: "/p/$projectId/settings/tracking", label: "tracking" },
  { to: "/p/$projectId/settings/keys", label: "keys" },
  { to: "/p/$projectId/settings/webhooks", label: "webhooks" },
  { to: "/p/$projectId/settings/hooks", label: "hooks" },
  { to: "/p/$projectId/settings/data", label: "data" },
  { to: "/p/$projectId/settings/audit", label: "audit" },
] as const;
