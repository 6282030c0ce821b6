import type { ProjectRow } from "../services/access/index.ts";
import type { BounceMailbox } from "../services/bounces/index.ts";
import type { BroadcastProgress } from "../services/broadcasts/index.ts";
import type { ApiKeyRow } from "../services/keys/index.ts";
import type { LogRow } from "../services/log/index.ts";
import type { SubscriberRow } from "../services/subscribers/index.ts";
import type { SuppressionRow } from "../services/suppressions/index.ts";
import type { TemplateRow } from "../services/templates/index.ts";

/** A point in time as answers show it: RFC 3339, UTC. */
export const timestamp = (ms: number) => new Date(ms).toISOString();
const timestampOrNull = (ms: number | null) => (ms === null ? null : timestamp(ms));

/** API reference, "Project"; the SMTP password is never part of it. */
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

/** API reference, "Template". */
export function presentTemplate(template: TemplateRow) {
  return {
    id: template.id,
    project_id: template.projectId,
    name: template.name,
    subject: template.subject,
    html_body: template.htmlBody,
    text_body: template.textBody,
    created_at: timestamp(template.createdAt),
    updated_at: timestamp(template.updatedAt),
  };
}

/** API reference, "Subscriber (project-scoped)", with its metadata. */
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

/** Decisions, "API keys"; the key itself is added to the create answer alone. */
export function presentApiKey(key: ApiKeyRow) {
  return {
    id: key.id,
    name: key.name,
    type: key.type,
    prefix: key.prefix,
    rate_limit_per_minute: key.rateLimitPerMinute,
    created_at: timestamp(key.createdAt),
    last_used_at: timestampOrNull(key.lastUsedAt),
  };
}

/** Decisions, "Sending": a broadcast with the counts of what is settled by now. */
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

/** API reference, "Email log entry", with broadcast, tags and refused copies. */
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
    tags: entry.tags === null ? {} : (JSON.parse(entry.tags) as Record<string, string>),
    copies: entry.copies === null ? [] : (JSON.parse(entry.copies) as unknown[]),
    sent_at: timestamp(entry.sentAt),
    opened_at: timestampOrNull(entry.openedAt),
    clicked_at: timestampOrNull(entry.clickedAt),
  };
}

/** API reference, "Suppression". */
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

/** API reference, "Bounce IMAP config"; the password is never part of it. */
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
