import { keyCapabilities, type ProjectRow, type WorkspaceRow } from "../services/access/index.ts";
import type { Overview, WindowTotals } from "../services/analytics/index.ts";
import type { AuditRow } from "../services/audit/index.ts";
import type { BounceMailbox } from "../services/bounces/index.ts";
import type { BroadcastProgress } from "../services/broadcasts/index.ts";
import type { ListedKey } from "../services/keys/index.ts";
import type { LogRow } from "../services/email-log/index.ts";
import type { SubscriberRow } from "../services/subscribers/index.ts";
import type { SuppressionRow } from "../services/suppressions/index.ts";
import type { TemplateRow } from "../services/templates/index.ts";
import type { DeliveryRow, WebhookRow } from "../services/webhooks/index.ts";
import type { Member } from "../services/workspaces/index.ts";

/** Formats a point in time for answers: RFC 3339, UTC. */
export const timestamp = (ms: number) => new Date(ms).toISOString();
const timestampOrNull = (ms: number | null) => (ms === null ? null : timestamp(ms));

/** Presents a project (API reference §5.1), without its SMTP password. */
export function presentProject(project: ProjectRow) {
  return {
    id: project.id,
    workspace_id: project.workspaceId,
    name: project.name,
    description: project.description,
    from_name: project.fromName,
    from_email: project.fromEmail,
    smtp_host: project.smtpHost,
    smtp_port: project.smtpPort,
    smtp_user: project.smtpUser,
    created_at: timestamp(project.createdAt),
    updated_at: timestamp(project.updatedAt),
  };
}

/** Presents a workspace (API reference §5.12); the create answer adds the caller's role. */
export function presentWorkspace(workspace: WorkspaceRow) {
  return {
    id: workspace.id,
    name: workspace.name,
    created_by: workspace.createdBy,
    created_at: timestamp(workspace.createdAt),
    updated_at: timestamp(workspace.updatedAt),
  };
}

/** Presents a member (API reference §5.13). */
export function presentMember(member: Member) {
  return {
    user_id: member.userId,
    email: member.email,
    name: member.name,
    role: member.role,
    joined_at: timestamp(member.joinedAt),
  };
}

/** Presents a template (API reference §5.2). */
export function presentTemplate(template: TemplateRow) {
  return {
    id: template.id,
    project_id: template.projectId,
    name: template.name,
    subject: template.subject,
    html_body: template.htmlBody,
    text_body: template.textBody,
    public: template.isPublic,
    created_at: timestamp(template.createdAt),
    updated_at: timestamp(template.updatedAt),
  };
}

/** Presents a subscriber with its metadata (API reference §5.3). */
export function presentSubscriber(subscriber: SubscriberRow) {
  return {
    id: subscriber.id,
    project_id: subscriber.projectId,
    email: subscriber.email,
    name: subscriber.name,
    status: subscriber.status,
    metadata: subscriber.metadata,
    subscribed_at: timestamp(subscriber.subscribedAt),
    unsubscribed_at: timestampOrNull(subscriber.unsubscribedAt),
    created_at: timestamp(subscriber.createdAt),
    updated_at: timestamp(subscriber.updatedAt),
  };
}

/** Presents an API key (API reference §5.15). The create answer adds the key itself. */
export function presentApiKey(key: ListedKey) {
  return {
    id: key.id,
    name: key.name,
    type: key.type,
    prefix: key.prefix,
    capabilities: keyCapabilities(key),
    created_by: key.createdBy,
    created_by_name: key.creatorName,
    created_by_email: key.creatorEmail,
    rate_limit_per_minute: key.rateLimitPerMinute,
    created_at: timestamp(key.createdAt),
    last_used_at: timestampOrNull(key.lastUsedAt),
  };
}

/** Presents a broadcast with counts of settled recipients (API reference §5.16). */
export function presentBroadcast(broadcast: BroadcastProgress) {
  return {
    id: broadcast.id,
    project_id: broadcast.projectId,
    template_id: broadcast.templateId,
    subject: broadcast.subject,
    state: broadcast.state,
    sent: broadcast.sent,
    failed: broadcast.failed,
    bounced: broadcast.bounced,
    suppressed: broadcast.suppressed,
    error: broadcast.error,
    created_at: timestamp(broadcast.createdAt),
    finished_at: timestampOrNull(broadcast.finishedAt),
  };
}

/** Presents a log entry with broadcast, tags and refused copies (API reference §5.5). */
export function presentLogEntry(entry: LogRow) {
  return {
    id: entry.id,
    project_id: entry.projectId,
    subscriber_id: entry.subscriberId,
    template_id: entry.templateId,
    broadcast_id: entry.broadcastId,
    to_email: entry.toEmail,
    subject: entry.subject,
    status: entry.status,
    error: entry.error,
    // Both are JSON that `appendLog` wrote.
    tags: entry.tags === null ? {} : (JSON.parse(entry.tags) as Record<string, string>),
    copies: entry.copies === null ? [] : (JSON.parse(entry.copies) as unknown[]),
    sent_at: timestamp(entry.sentAt),
    opened_at: timestampOrNull(entry.openedAt),
    clicked_at: timestampOrNull(entry.clickedAt),
  };
}

/** Presents a suppression (API reference §5.7). */
export function presentSuppression(suppression: SuppressionRow) {
  return {
    id: suppression.id,
    project_id: suppression.projectId,
    email: suppression.email,
    reason: suppression.reason,
    source: suppression.source,
    created_at: timestamp(suppression.createdAt),
    last_seen_at: timestamp(suppression.lastSeenAt),
  };
}

/** Presents an audit entry (API reference §5.14); `user_id` is null for keys and the service. */
export function presentAuditEntry(entry: AuditRow) {
  return {
    id: entry.id,
    user_id: entry.userId,
    action: entry.action,
    target_type: entry.targetType,
    target_id: entry.targetId,
    metadata: entry.metadata,
    ip_address: entry.ipAddress,
    user_agent: entry.userAgent,
    created_at: timestamp(entry.createdAt),
  };
}

/** Presents a bounce mailbox (API reference §5.10), without its password. */
export function presentBounceMailbox(mailbox: BounceMailbox) {
  return {
    enabled: mailbox.enabled,
    host: mailbox.host,
    port: mailbox.port,
    user: mailbox.user,
    folder: mailbox.folder,
    last_polled_at: timestampOrNull(mailbox.lastPolledAt),
    last_error: mailbox.lastError,
  };
}

/** Presents a webhook (API reference §5.8); the create answer alone shows the secret. */
export function presentWebhook(webhook: WebhookRow, secret = "") {
  return {
    id: webhook.id,
    url: webhook.url,
    secret,
    events: webhook.events,
    active: webhook.active,
    created_at: timestamp(webhook.createdAt),
  };
}

/** Presents a delivery (API reference §5.9); fields marked "present when" may be absent. */
export function presentDelivery(delivery: DeliveryRow) {
  const { lastStatusCode, lastError, dueAt, deliveredAt } = delivery;
  return {
    id: delivery.id,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    ...(lastStatusCode === null ? {} : { last_status_code: lastStatusCode }),
    ...(lastError === null ? {} : { last_error: lastError }),
    ...(delivery.status === "pending" && dueAt !== null
      ? { next_attempt_at: timestamp(dueAt) }
      : {}),
    ...(deliveredAt === null ? {} : { delivered_at: timestamp(deliveredAt) }),
    created_at: timestamp(delivery.createdAt),
  };
}

/** Presents an overview (API reference §16.3); `sends_by_status` has all four statuses. */
export function presentOverview(overview: Overview) {
  const { sent, failed, bounced, suppressed } = overview.totals;
  return {
    from: timestamp(overview.from),
    to: timestamp(overview.to),
    granularity: overview.granularity,
    range_days: overview.rangeDays,
    ...presentWindow(overview),
    click_to_open_pct: overview.shares.clickToOpen,
    active_subscribers: overview.activeSubscribers,
    opens_series: overview.opensSeries.map(({ bucket, opens }) => ({
      bucket: timestamp(bucket),
      opens,
    })),
    top_templates: overview.topTemplates.map(({ templateId, name, sends }) => ({
      template_id: templateId,
      name,
      sends,
    })),
    top_clicked_links: overview.topClickedLinks.map(({ url, clicks }) => ({ url, clicks })),
    sends_by_status: [
      { status: "sent", count: sent },
      { status: "failed", count: failed },
      { status: "bounced", count: bounced },
      { status: "suppressed", count: suppressed },
    ],
    previous: presentWindow(overview.previous),
  };
}

function presentWindow({ totals, shares }: WindowTotals) {
  return {
    total_sent: totals.sent,
    total_failed: totals.failed,
    total_opened: totals.opened,
    total_clicked: totals.clicked,
    deliverability_pct: shares.deliverability,
    open_rate_pct: shares.openRate,
    click_rate_pct: shares.clickRate,
  };
}
