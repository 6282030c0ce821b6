import type { Deps } from "../deps.ts";
import type { WebhookDueMessage } from "./messages.ts";
import { runTurns } from "../services/webhooks/index.ts";

/** First wait in seconds of a webhook whose host has no free slot; each wait doubles. */
const NO_ROOM_WAIT_SECONDS = 2;

/** Number of waits before the minute sweep takes over, which bounds the number of wake-ups. */
const NO_ROOM_WAITS = 4;

/**
 * Dispatches the due deliveries of the webhooks in a batch. It acks every message, since the minute
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
