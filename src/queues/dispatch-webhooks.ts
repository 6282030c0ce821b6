import type { App } from "../app.ts";
import type { WebhookDueMessage } from "../messages.ts";
import { runTurns } from "../services/webhooks/index.ts";

/** First wait of a webhook whose host has no room, doubled each time; seconds. */
const NO_ROOM_WAIT_SECONDS = 2;

/** Waits before it is left to the minute sweep: however many wake-ups there are, their number is bounded. */
const NO_ROOM_WAITS = 4;

/** Dispatches what is due of the webhooks of a batch. What fails is found by the minute sweep, so all is acked. */
export async function dispatchWebhooks(
  app: App,
  received: { message: Message; body: WebhookDueMessage }[],
): Promise<void> {
  const ends = await runTurns(
    app,
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
