import { z } from "zod";

const earlierAttempt = z.object({
  at: z.number(),
  error: z.string(),
  viaFallback: z.literal(true).optional(),
});

const addressOutcome = z.object({
  email: z.string(),
  status: z.enum(["sent", "failed", "bounced", "suppressed"]),
  error: z.string().nullable(),
  reason: z.string().optional(),
  queueId: z.string().optional(),
  viaFallback: z.literal(true).optional(),
  earlier: z.array(earlierAttempt).optional(),
});

/** The outcome of one mail that could not be written to D1 at the time. */
export const outcomeMessage = z.object({
  type: z.literal("outcome"),
  projectId: z.string(),
  /** When the outcome was known, in milliseconds since 1970 UTC. */
  at: z.number(),
  mail: z.object({
    logId: z.string(),
    subject: z.string(),
    tags: z.record(z.string(), z.string()).nullable(),
    templateId: z.string().nullable(),
    subscriberId: z.string().nullable(),
    isTest: z.boolean().optional(),
  }),
  outcome: z.object({ main: addressOutcome, copies: z.array(addressOutcome) }),
  /** The operation that waits for this outcome; null for a send without an Idempotency-Key. */
  operation: z
    .object({
      claim: z.object({ operationId: z.string(), leaseToken: z.string() }),
      answer: z.record(z.string(), z.unknown()),
    })
    .nullable(),
});

interface Visit {
  /** A ULID. Its time locates nearby events, and its value identifies a redelivered message. */
  id: string;
  logId: string;
  /** Milliseconds since 1970 UTC. */
  at: number;
  userAgent: string;
  ipAddress: string;
}

/** One load of a tracking pixel, or one visit to a tracked link. */
export type TrackingEvent =
  | (Visit & { kind: "open" })
  | (Visit & {
      kind: "click";
      url: string;
      /** The tag of the link, which is added to the subscriber. */
      tag?: string;
    });

/**
 * Hand-written validation: a zod schema takes many times as long, and every tracking event passes
 * through here.
 */
function isTrackingEvent(value: unknown): value is TrackingEvent {
  if (typeof value !== "object" || value === null) return false;
  // Any property of an object may be read; the lines below validate each.
  const { kind, id, logId, at, userAgent, ipAddress, url, tag } = value as Record<string, unknown>;
  return (
    (kind === "open" || (kind === "click" && typeof url === "string")) &&
    (tag === undefined || typeof tag === "string") &&
    typeof id === "string" &&
    typeof logId === "string" &&
    Number.isFinite(at) &&
    typeof userAgent === "string" &&
    typeof ipAddress === "string"
  );
}

/** Tracking events buffered by one isolate. */
export const trackingMessage = z.object({
  type: z.literal("tracking"),
  events: z.custom<TrackingEvent[]>(
    (value) => Array.isArray(value) && value.length > 0 && value.every(isTrackingEvent),
  ),
});

/** There may be work for the sender of a project. */
export const wakeMessage = z.object({ type: z.literal("wake"), projectId: z.string() });

/** Poll a project's bounce mailbox once. */
export const bouncePollMessage = z.object({
  type: z.literal("bounce_poll"),
  projectId: z.string(),
});

export const webhookDueMessage = z.object({
  type: z.literal("webhook_due"),
  webhookId: z.string(),
});

/**
 * Every message body that this service enqueues. `type` selects the consumer
 * (queues/handle-batch.ts).
 */
export const queueMessage = z.discriminatedUnion("type", [
  outcomeMessage,
  trackingMessage,
  wakeMessage,
  bouncePollMessage,
  webhookDueMessage,
]);

export type OutcomeMessage = z.infer<typeof outcomeMessage>;
export type TrackingMessage = z.infer<typeof trackingMessage>;
export type WakeMessage = z.infer<typeof wakeMessage>;
export type BouncePollMessage = z.infer<typeof bouncePollMessage>;
export type WebhookDueMessage = z.infer<typeof webhookDueMessage>;
export type QueueMessage = z.infer<typeof queueMessage>;
