import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { WebhookDueMessage } from "../../queues/messages.ts";

/** The maximum number of messages per `sendBatch` (Cloudflare Queues, "Limits"). */
const MESSAGES_PER_CALL = 100;

/**
 * Notifies the dispatcher that webhooks have due deliveries, now or in this many seconds. Never
 * throws: the minute sweep picks up deliveries whose message was lost.
 */
export async function wakeWebhooks(
  deps: Deps,
  webhookIds: string[],
  delaySeconds = 0,
): Promise<void> {
  const messages = webhookIds.map((webhookId) => ({
    body: { type: "webhook_due", webhookId } satisfies WebhookDueMessage,
    delaySeconds,
  }));
  try {
    for (let at = 0; at < messages.length; at += MESSAGES_PER_CALL)
      await deps.webhookQueue.sendBatch(messages.slice(at, at + MESSAGES_PER_CALL));
  } catch (error) {
    logLine("warn", "webhook_wake_refused", {
      webhooks: webhookIds.length,
      error: errorText(error),
    });
  }
}
