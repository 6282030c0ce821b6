import type { Deps } from "../deps.ts";
import type { WebhookDueMessage } from "./messages.ts";
import { deliverDue } from "../services/webhooks/index.ts";

/** The number of times a webhook waits for a place on its host; the minute sweep finds it later. */
const WAITS = 4;

/**
 * Delivers what is due at the webhooks of a batch. Messages of webhooks whose host has no room wait
 * 2, 4, 8 and 16 seconds. Acks all others, because the minute sweep finds failed work.
 */
export async function dispatchWebhooks(
  deps: Deps,
  received: { message: Message; body: WebhookDueMessage }[],
): Promise<void> {
  const ends = await deliverDue(
    deps,
    received.map(({ body }) => body.webhookId),
  );
  for (const { message, body } of received) {
    if (ends.get(body.webhookId) === "no_room" && message.attempts <= WAITS)
      message.retry({ delaySeconds: 2 ** message.attempts });
    else message.ack();
  }
}
