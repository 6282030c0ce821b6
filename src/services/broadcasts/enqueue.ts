import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { BroadcastMessage } from "../../queues/messages.ts";

/** The number of messages that a `sendBatch` accepts (Queues documentation, "Limits"). */
const MESSAGES_PER_BATCH = 100;

/**
 * Enqueues work. A message only wakes a worker; D1 holds the work itself. A queue failure costs
 * time, never mail: the minute sweep finds the work.
 */
export async function enqueue(
  deps: Deps,
  messages: BroadcastMessage[],
  delayMs = 0,
): Promise<void> {
  const delaySeconds = Math.ceil(delayMs / 1000);
  try {
    for (let at = 0; at < messages.length; at += MESSAGES_PER_BATCH) {
      const part = messages.slice(at, at + MESSAGES_PER_BATCH);
      await deps.broadcastQueue.sendBatch(part.map((body) => ({ body, delaySeconds })));
    }
  } catch (error) {
    logLine("warn", "broadcast_enqueue_failed", { error: errorText(error) });
  }
}

/** Wakes a worker for one chunk, after a delay in milliseconds. */
export function wakeChunk(
  deps: Deps,
  { broadcastId, afterId }: { broadcastId: string; afterId: string },
  delayMs = 0,
): Promise<void> {
  return enqueue(deps, [{ type: "broadcast_chunk", broadcastId, afterId }], delayMs);
}
