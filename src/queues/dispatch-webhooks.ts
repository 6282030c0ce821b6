import type { Deps } from "../deps.ts";
import type { WebhookDueMessage } from "./messages.ts";
import { runTurns } from "../services/webhooks/index.ts";

/** First delay, in seconds, of a webhook whose host has no free slot; it doubles each time. */
const NO_ROOM_WAIT_SECONDS = 2;

/** Number of delays before the minute sweep takes over, which bounds the number of wake-ups. */
const NO_ROOM_WAITS = 4;

/**
 * Dispatches the due deliveries of the webhooks in a batch. Acks every message, because the minute
 * sweep finds failed work.
 */
export async function dispatchWebhooks(
  deps: Deps,
  received: { message: Message; body: WebhookDueMessage }[],
): Promise<void> {
  const ends = await runTurns(
    deps,
    received.map(({ body }) => body.webhookId),
  );
  const waiting = new Set<string>();
  for (const { message, body } of received) {
    const { webhookId } = body;
    const mayWait = message.attempts <= NO_ROOM_WAITS && !waiting.has(webhookId);
    if (ends.get(webhookId) === "no_room" && mayWait) {
      waiting.add(webhookId);
      message.retry({ delaySeconds: NO_ROOM_WAIT_SECONDS * 2 ** (message.attempts - 1) });
    } else message.ack();
  }
}
