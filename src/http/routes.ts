import { openApiRoute } from "./openapi/openapi-route.ts";
import { accessTokenRoutes } from "./account/access-tokens.ts";
import { authRoutes } from "./account/auth.ts";
import { deadLetterRoutes } from "./account/dead-letters.ts";
import { deviceLoginRoutes } from "./account/device-login.ts";
import { invitationRoutes } from "./account/invitations.ts";
import { memberRoutes } from "./account/members.ts";
import { recoveryRoutes } from "./account/recovery.ts";
import { serviceMailRoutes } from "./account/service-mail.ts";
import { sessionRoutes } from "./account/sessions.ts";
import { workspaceRoutes } from "./account/workspaces.ts";
import { KEYED_ROUTES } from "./keyed/index.ts";
import { audienceSettingsRoutes } from "./project/audience-settings.ts";
import { addressExportRoutes } from "./project/address-export.ts";
import { analyticsRoutes } from "./project/analytics.ts";
import { audienceImportRoutes } from "./project/list-import/audience-import.ts";
import { apiKeyRoutes } from "./project/api-keys.ts";
import { auditLogRoutes } from "./project/audit-log.ts";
import { automationControlRoutes } from "./project/automation-control.ts";
import { automationRehearsalRoutes } from "./project/automation-rehearsal.ts";
import { automationRoutes } from "./project/automations.ts";
import { builtInTemplateRoutes } from "./project/built-in-templates.ts";
import { automationRunRoutes } from "./project/automation-runs.ts";
import { authHookRoutes } from "./project/auth-hooks.ts";
import { bounceRoutes } from "./project/bounces.ts";
import { bounceSettingsRoutes } from "./project/bounce-settings.ts";
import { erasureRoutes } from "./project/erasures.ts";
import { explainBounceRoutes } from "./project/explain-bounce.ts";
import { batchRoutes } from "./project/batches.ts";
import { broadcastControlRoutes } from "./project/broadcast-control.ts";
import { broadcastDraftRoutes } from "./project/broadcast-drafts.ts";
import { broadcastArchiveRoutes } from "./project/broadcast-archive.ts";
import { broadcastReportRoutes } from "./project/broadcast-report.ts";
import { broadcastAbTestRoutes } from "./project/broadcast-ab-test.ts";
import { broadcastRoutes } from "./project/broadcasts.ts";
import { eventRoutes } from "./project/events.ts";
import { fieldRoutes } from "./project/subscriber-fields.ts";
import { formRoutes } from "./project/forms.ts";
import { imageRoutes } from "./project/images.ts";
import { importRoutes } from "./project/imports.ts";
import { ingestSignatureRoutes } from "./project/ingest-signatures.ts";
import { mailTimelineRoutes } from "./project/mail-timeline.ts";
import { logRoutes } from "./project/logs.ts";
import { brandRoutes } from "./project/brand.ts";
import { mailSettingsRoutes } from "./project/mail-settings.ts";
import { draftTestRoutes } from "./project/draft-test.ts";
import { preflightRoutes } from "./project/preflight.ts";
import { transferRoutes } from "./project/project-transfer/transfer.ts";
import { projectRoutes } from "./project/projects.ts";
import { seriesRoutes } from "./project/series.ts";
import { resendRoutes } from "./project/resend.ts";
import { scheduledRoutes } from "./project/scheduled.ts";
import { segmentRoutes } from "./project/segments.ts";
import { sendRoutes } from "./project/send.ts";
import { senderCheckRoutes } from "./project/sender-check.ts";
import { sendingRoutes } from "./project/sending.ts";
import { unverifiedBounceRoutes } from "./project/unverified-bounces.ts";
import { subscriberTopicRoutes } from "./project/subscriber-topics.ts";
import { topicRoutes } from "./project/topics.ts";
import { subscriberRoutes } from "./project/subscribers.ts";
import { suppressionRoutes } from "./project/suppressions.ts";
import { templateRoutes } from "./project/templates.ts";
import { savedBlockRoutes } from "./project/saved-blocks.ts";
import { mailPageRoutes } from "./project/mail-pages.ts";
import { templatePreviewRoutes } from "./project/template-preview.ts";
import { templateVersionRoutes } from "./project/template-versions.ts";
import { webhookDeliveryRoutes } from "./project/webhook-deliveries.ts";
import { webhookRoutes } from "./project/webhooks.ts";
import {
  bounceIngestRoute,
  providerIngestRoute,
  providerUrlRoute,
} from "./public/bounce-ingest.ts";
import { versionRoute } from "./public/version.ts";
import { waitlistRoutes } from "./public/waitlist.ts";
import type { Route } from "./route/declaration.ts";

/** Routes below `/api/v1` whose errors are `{error}`; contract tests iterate over them. */
export const API_ROUTES: Route[] = [
  openApiRoute(() => ALL_ROUTES),
  ...authRoutes,
  ...recoveryRoutes,
  ...sessionRoutes,
  ...accessTokenRoutes,
  ...deviceLoginRoutes,
  ...serviceMailRoutes,
  ...deadLetterRoutes,
  ...workspaceRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...projectRoutes,
  ...transferRoutes,
  ...sendingRoutes,
  ...senderCheckRoutes,
  ...templateRoutes,
  ...builtInTemplateRoutes,
  ...templatePreviewRoutes,
  ...mailPageRoutes,
  ...templateVersionRoutes,
  ...savedBlockRoutes,
  ...imageRoutes,
  ...apiKeyRoutes,
  ...sendRoutes,
  ...batchRoutes,
  ...broadcastRoutes,
  ...broadcastControlRoutes("project"),
  ...broadcastDraftRoutes("project"),
  ...broadcastAbTestRoutes("project"),
  ...preflightRoutes("project"),
  ...draftTestRoutes,
  ...automationRoutes,
  ...automationControlRoutes,
  ...automationRehearsalRoutes,
  ...broadcastReportRoutes,
  ...broadcastArchiveRoutes,
  ...logRoutes,
  ...seriesRoutes,
  ...mailTimelineRoutes,
  ...resendRoutes,
  ...scheduledRoutes,
  ...subscriberRoutes,
  ...subscriberTopicRoutes,
  ...eventRoutes,
  ...topicRoutes("project"),
  ...segmentRoutes("project"),
  ...fieldRoutes,
  ...formRoutes,
  ...audienceSettingsRoutes,
  ...mailSettingsRoutes,
  ...brandRoutes,
  ...audienceImportRoutes,
  ...importRoutes,
  ...addressExportRoutes,
  ...erasureRoutes,
  ...waitlistRoutes,
  ...suppressionRoutes,
  ...bounceRoutes,
  ...ingestSignatureRoutes,
  ...bounceSettingsRoutes,
  ...authHookRoutes,
  ...explainBounceRoutes,
  ...unverifiedBounceRoutes,
  ...automationRunRoutes,
  ...analyticsRoutes,
  ...auditLogRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
];

/** JSON routes outside `/api/v1`. */
export const ROOT_ROUTES: Route[] = [
  versionRoute,
  bounceIngestRoute,
  providerIngestRoute,
  providerUrlRoute,
];

/** Path prefix of every API route. */
const API = "/api/v1";

/** Every JSON route, with its absolute path. */
export const ALL_ROUTES: Route[] = [
  ...[...API_ROUTES, ...KEYED_ROUTES].map((route) => ({ ...route, path: API + route.path })),
  ...ROOT_ROUTES,
];
