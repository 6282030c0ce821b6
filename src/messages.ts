import { z } from "zod";

/** A mail that is owed to a subscriber, a waitlist confirmation or a welcome, is to be sent. */
export const subscriberMailMessage = z.object({
  type: z.literal("subscriber_mail"),
  owedMailId: z.string(),
});

interface Visit {
  /** A ULID: its time finds the events around it, and it makes a repeated delivery known. */
  id: string;
  logId: string;
  /** Milliseconds since 1970 UTC. */
  at: number;
  userAgent: string;
  ipAddress: string;
}

/** One load of an open pixel, or one visit of a tracked link. */
export type TrackingEvent = (Visit & { kind: "open" }) | (Visit & { kind: "click"; url: string });

/** Written out: a schema takes many times as long, and each visit of each mail comes through here. */
function isTrackingEvent(value: unknown): value is TrackingEvent {
  if (typeof value !== "object" || value === null) return false;
  const { kind, id, logId, at, userAgent, ipAddress, url } = value as Record<string, unknown>;
  return (
    (kind === "open" || (kind === "click" && typeof url === "string")) &&
    typeof id === "string" &&
    typeof logId === "string" &&
    Number.isFinite(at) &&
    typeof userAgent === "string" &&
    typeof ipAddress === "string"
  );
}

/** Visits that one isolate gathered. */
export const trackingMessage = z.object({
  type: z.literal("tracking"),
  events: z.custom<TrackingEvent[]>(
    (value) => Array.isArray(value) && value.length > 0 && value.every(isTrackingEvent),
  ),
});

/** Work on a broadcast: plan the next ranges of its audience, or send to one range. */
export const broadcastPlanMessage = z.object({
  type: z.literal("broadcast_plan"),
  broadcastId: z.string(),
});
export const broadcastRangeMessage = z.object({
  type: z.literal("broadcast_range"),
  broadcastId: z.string(),
  /** The range is that of the subscribers with ids above this one. */
  afterId: z.string(),
});

/** One look into the bounce mailbox of a project. */
export const bouncePollMessage = z.object({
  type: z.literal("bounce_poll"),
  projectId: z.string(),
});

/** A webhook has deliveries that are due. */
export const webhookDueMessage = z.object({
  type: z.literal("webhook_due"),
  webhookId: z.string(),
});

/** Every body this service puts on a queue; `type` chooses the consumer (queues/handle-batch.ts). */
export const queueMessage = z.discriminatedUnion("type", [
  subscriberMailMessage,
  trackingMessage,
  broadcastPlanMessage,
  broadcastRangeMessage,
  bouncePollMessage,
  webhookDueMessage,
]);

export type SubscriberMailMessage = z.infer<typeof subscriberMailMessage>;
export type TrackingMessage = z.infer<typeof trackingMessage>;
export type BroadcastMessage =
  | z.infer<typeof broadcastPlanMessage>
  | z.infer<typeof broadcastRangeMessage>;
export type BouncePollMessage = z.infer<typeof bouncePollMessage>;
export type WebhookDueMessage = z.infer<typeof webhookDueMessage>;
export type QueueMessage = z.infer<typeof queueMessage>;
