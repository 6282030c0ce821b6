/*
 * Events in the format of Resend, for webhooks that programs written for Resend create
 * (docs/resend.md). Deliveries are stored in our own format and translated at each attempt.
 */
import { uuidTime } from "../../lib/ids.ts";
import type { EventType } from "./emit-events.ts";

/** Resend's name of each event of ours that it also has. Several of ours can have the same name. */
export const RESEND_EVENTS = {
  "email.sent": "email.sent",
  "email.scheduled": "email.scheduled",
  "email.delivery_delayed": "email.delivery_delayed",
  "email.complained": "email.complained",
  "email.bounced": "email.bounced",
  "email.opened": "email.opened",
  "email.clicked": "email.clicked",
  "email.failed": "email.failed",
  "email.suppressed": "email.suppressed",
  "subscriber.created": "contact.created",
  "subscriber.updated": "contact.updated",
  "subscriber.confirmed": "contact.updated",
  "subscriber.unsubscribed": "contact.updated",
} as const satisfies { readonly [Type in EventType]?: string };

const NAMES = new Map<string, string>(Object.entries(RESEND_EVENTS));

/** The payload of an event of ours (API reference §15.3). */
interface Payload {
  type: string;
  created_at: string;
  project_id: string;
  data: Record<string, unknown>;
}

/**
 * Returns the payload of an event as Resend would write it; that of an event that Resend does not
 * have stays as it is.
 */
export function resendPayload(payload: string): string {
  const event = JSON.parse(payload) as Payload;
  const type = NAMES.get(event.type);
  if (type === undefined) return payload;
  const data = type.startsWith("email.") ? emailOf(event) : contactOf(event);
  return JSON.stringify({ type, created_at: event.created_at, data });
}

/** The parts that only some events have. */
const PARTS: Readonly<Record<string, (event: Payload) => object>> = {
  "email.bounced": ({ data }) => ({
    bounce: { message: data["error"] ?? "", type: "Permanent", subType: "General" },
  }),
  "email.failed": ({ data }) => ({ failed: { reason: data["error"] ?? "" } }),
  "email.suppressed": ({ data }) => ({
    suppressed: { message: data["error"] ?? "", type: "OnAccountSuppressionList" },
  }),
  "email.clicked": ({ data, created_at }) => ({
    click: {
      ipAddress: data["ip"] ?? "",
      link: data["url"],
      timestamp: created_at,
      userAgent: data["user_agent"] ?? "",
    },
  }),
};

/** The log keeps neither the sender nor the Message-ID. */
function emailOf(event: Payload) {
  const { type, created_at: at, data } = event;
  const { to, subject, tags, template_id: templateId, broadcast_id: broadcastId } = data;
  const id = data["log_id"] ?? data["batch_id"];
  return {
    created_at: typeof id === "string" ? new Date(uuidTime(id)).toISOString() : at,
    email_id: id,
    message_id: "",
    from: "",
    to: to === null ? [] : [to],
    subject: subject ?? "",
    ...(templateId !== null && { template_id: templateId }),
    ...(broadcastId !== null && { broadcast_id: broadcastId }),
    ...(tags !== undefined && { tags }),
    ...PARTS[type]?.(event),
  };
}

function contactOf({ project_id: projectId, data }: Payload) {
  const { id, email, name, status, metadata, created_at, updated_at } = data;
  const names = metadata as Record<string, unknown>;
  return {
    id,
    audience_id: projectId,
    segment_ids: [],
    created_at,
    updated_at,
    email,
    first_name: names["first_name"] ?? name,
    last_name: names["last_name"] ?? null,
    unsubscribed: status !== "active",
  };
}

/** Adds the names that Svix's libraries read to the headers of Standard Webhooks. */
export const svixHeaders = (signed: Record<string, string>) => ({
  ...signed,
  ...Object.fromEntries(
    Object.entries(signed)
      .filter(([name]) => name.startsWith("webhook-"))
      .map(([name, value]) => [name.replace("webhook-", "svix-"), value]),
  ),
});
