import type { App } from "../../app.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { BroadcastMessage } from "../../messages.ts";

/** Messages a `sendBatch` takes (Queues documentation, "Limits"). */
const MESSAGES_PER_BATCH = 100;

/** Puts work on the queue; a message only wakes a worker, what there is to do stands in D1. A queue that refuses costs time, never mail: the minute sweep finds the work. */
export async function enqueue(app: App, messages: BroadcastMessage[], delayMs = 0): Promise<void> {
  const delaySeconds = Math.ceil(delayMs / 1000);
  try {
    for (let at = 0; at < messages.length; at += MESSAGES_PER_BATCH) {
      const part = messages.slice(at, at + MESSAGES_PER_BATCH);
      await app.broadcastQueue.sendBatch(part.map((body) => ({ body, delaySeconds })));
    }
  } catch (error) {
    logLine("warn", "broadcast_enqueue_failed", { error: errorText(error) });
  }
}
