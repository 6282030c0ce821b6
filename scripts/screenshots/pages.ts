import type { Demo } from "./demo-data.ts";

/** Every page of the dashboard, by the name of its screenshot. */
export const pagesOf = (demo: Demo): Record<string, string> => {
  const { projectId, workspaceId, templateId, broadcastId, draftId, logId, personId } = demo;
  const { automationId } = demo;
  const at = `/p/${projectId}`;
  const settings = [
    "general",
    "brand",
    "sending",
    "consent",
    "bounces",
    "tracking",
    "data",
    "audit",
  ];
  const developer = ["keys", "webhooks", "hooks"];
  return {
    account: "/account",
    service: "/account/service",
    device: "/device",
    projects: `/w/${workspaceId}`,
    members: `/w/${workspaceId}/members`,
    "workspace-audit": `/w/${workspaceId}/audit`,
    overview: at,
    start: `${at}/start`,
    broadcasts: `${at}/broadcasts`,
    drafts: `${at}/broadcasts?tab=drafts`,
    calendar: `${at}/broadcasts?tab=calendar`,
    "broadcast-new": `${at}/broadcasts/new`,
    draft: `${at}/broadcasts/${draftId}`,
    "draft-people": `${at}/broadcasts/${draftId}?step=people`,
    "draft-time": `${at}/broadcasts/${draftId}?step=time`,
    preflight: `${at}/broadcasts/${draftId}/preflight`,
    report: `${at}/broadcasts/${broadcastId}`,
    automations: `${at}/automations`,
    "automation-new": `${at}/automations/new`,
    automation: `${at}/automations/${automationId}`,
    "automation-rehearsal": `${at}/automations/${automationId}?view=rehearsal`,
    "automation-report": `${at}/automations/${automationId}?view=report`,
    templates: `${at}/templates`,
    template: `${at}/templates/${templateId}`,
    "template-new": `${at}/templates/new`,
    images: `${at}/templates/images`,
    history: `${at}/templates/${templateId}/history`,
    audience: `${at}/audience`,
    person: `${at}/audience/${personId}`,
    import: `${at}/audience/import`,
    segments: `${at}/audience/segments`,
    topics: `${at}/audience/topics`,
    fields: `${at}/audience/fields`,
    forms: `${at}/audience/forms`,
    privacy: `${at}/audience/privacy`,
    log: `${at}/log`,
    "log-scheduled": `${at}/log?status=scheduled`,
    mail: `${at}/log/${logId}`,
    suppressions: `${at}/suppressions`,
    unverified: `${at}/suppressions/unverified`,
    missing: `${at}/nothing`,
    ...Object.fromEntries(
      [...settings, ...developer].map((page) => [`settings-${page}`, `${at}/settings/${page}`]),
    ),
  };
};
