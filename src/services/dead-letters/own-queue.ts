import type { Deps } from "../../deps.ts";
import type { QueueMessage } from "../../queues/messages.ts";

/** The queue of each type of message, as wrangler.toml names it. */
const NAMES: Record<QueueMessage["type"], string> = {
  outcome: "postrider-wake",
  tracking: "postrider-tracking",
  wake: "postrider-wake",
  bounce_poll: "postrider-bounce",
  webhook_due: "postrider-webhook",
};

const isKnown = (type: string): type is QueueMessage["type"] => Object.hasOwn(NAMES, type);

/** Returns the queue of a message type; "" for a type that this version does not know. */
export const queueOf = (type: string) => (isKnown(type) ? NAMES[type] : "");

/**
 * Sends a message to its own queue again. Every type is idempotent:
 * - `outcome` carries the outcome of a mail, and the log takes each mail once;
 * - `tracking` carries visits with ids, and D1 records each visit once;
 * - `wake` makes the sender of a project look for work;
 * - `bounce_poll` reads the unread messages of a mailbox, and skips a mailbox that is being polled;
 * - `webhook_due` starts a run over the due deliveries, which one worker claims.
 */
export async function sendToOwnQueue(deps: Deps, message: QueueMessage): Promise<void> {
  switch (message.type) {
    case "tracking":
      await deps.trackingQueue.send(message);
      break;
    case "outcome":
    case "wake":
      await deps.wakeQueue.send(message);
      break;
    case "bounce_poll":
      await deps.bounceQueue.send(message);
      break;
    case "webhook_due":
      await deps.webhookQueue.send(message);
  }
}
