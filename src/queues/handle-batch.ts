import type { Deps } from "../deps.ts";
import { logLine } from "../lib/log-line.ts";
import { queueMessage, type QueueMessage } from "./messages.ts";
import { dispatchWebhooks } from "./dispatch-webhooks.ts";
import { DEAD_QUEUE, keepDeadLetters } from "./keep-dead-letters.ts";
import { pollBounces } from "./poll-bounces.ts";
import { recordTracking } from "./record-tracking.ts";
import { recordOutcomes } from "./record-outcomes.ts";
import { wakeProjects } from "./wake-senders.ts";

/** A message of one type, with its validated body. */
export interface Received<Body> {
  message: Message;
  body: Body;
}

type BodyOf<Type extends QueueMessage["type"]> = Extract<QueueMessage, { type: Type }>;

/**
 * Consumers by message type. Each one receives all messages of its type in a batch, and acks or
 * retries every one. Consumers run sequentially, in this order.
 */
type Consumers = {
  [Type in QueueMessage["type"]]: (deps: Deps, received: Received<BodyOf<Type>>[]) => Promise<void>;
};

/** A consumer of messages whose type is already checked. */
type Consumer = (deps: Deps, received: Received<QueueMessage>[]) => Promise<void>;

const CONSUMERS: Consumers = {
  outcome: recordOutcomes, // first: its messages hold leases
  tracking: recordTracking,
  wake: wakeProjects,
  bounce_poll: pollBounces,
  webhook_due: dispatchWebhooks,
};

/**
 * Handles batches of every queue: validates bodies and passes each type to its consumer. Messages
 * that this version cannot parse become dead letters at once, as do those that exhausted their
 * retries.
 */
export async function handleBatch(deps: Deps, batch: MessageBatch): Promise<void> {
  if (batch.queue === DEAD_QUEUE) return keepDeadLetters(deps, batch.queue, batch.messages);
  const known: Received<QueueMessage>[] = [];
  const unknown: Message[] = [];
  for (const message of batch.messages) {
    const parsed = queueMessage.safeParse(message.body);
    if (parsed.success) {
      known.push({ message, body: parsed.data });
      continue;
    }
    logLine("error", "unknown_message", { queue: batch.queue, id: message.id });
    unknown.push(message);
  }
  if (unknown.length > 0) await keepDeadLetters(deps, batch.queue, unknown);
  const byType = Map.groupBy<string, Received<QueueMessage>>(known, ({ body }) => body.type);
  for (const [type, consume] of Object.entries(CONSUMERS)) {
    const received = byType.get(type);
    // `groupBy` guarantees that the bodies have this type, which its own types cannot express.
    if (received) await (consume as Consumer)(deps, received);
  }
}
