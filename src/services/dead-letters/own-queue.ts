import type { Deps } from "../../deps.ts";
import type { QueueMessage } from "../../queues/messages.ts";

/** The queue of each type of message, as wrangler.toml names it. */
const NAMES: Record<QueueMessage["type"], string> = {
  pending_mail: "postrider-mail",
  service_mail: "postrider-service",
  settle: "postrider-service",
  tracking: "postrider-tracking",
  broadcast_plan: "postrider-broadcast",
  broadcast_chunk: "postrider-broadcast",
  bounce_poll: "postrider-bounce",
  webhook_due: "postrider-webhook",
};

const isKnown = (type: string): type is QueueMessage["type"] => Object.hasOwn(NAMES, type);

/** Returns the queue of a message type; "" for a type that this version does not know. */
export const queueOf = (type: string) => (isKnown(type) ? NAMES[type] : "");

/**
 * Sends a message to its own queue again. Every type is idempotent:
 * - `pending_mail` and `service_mail` wake a pending mail, which one worker claims and which is
 *   deleted once sent;
 * - `settle` carries the outcome of a mail, and the log takes each mail once;
 * - `tracking` carries visits with ids, and D1 records each visit once;
 * - `broadcast_plan` and `broadcast_chunk` wake work that one worker claims; finished work is
 *   deleted;
 * - `bounce_poll` reads the unread messages of a mailbox, and skips a mailbox that is being polled;
 * - `webhook_due` starts a run over the due deliveries, which one worker claims.
 */
export async function sendToOwnQueue(deps: Deps, message: QueueMessage): Promise<void> {
  switch (message.type) {
    case "pending_mail":
      await deps.mailQueue.send(message);
      break;
    case "service_mail":
    case "settle":
      await deps.serviceQueue.send(message);
      break;
    case "tracking":
      await deps.trackingQueue.send(message);
      break;
    case "broadcast_plan":
    case "broadcast_chunk":
      await deps.broadcastQueue.send(message);
      break;
    case "bounce_poll":
      await deps.bounceQueue.send(message);
      break;
    case "webhook_due":
      await deps.webhookQueue.send(message);
  }
}
