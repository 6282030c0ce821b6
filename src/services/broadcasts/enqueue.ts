import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { selectWaiting } from "./chunk-queries.ts";
import type { BroadcastMessage } from "../../queues/messages.ts";

/** The maximum number of messages per `sendBatch` (Queues documentation, "Limits"). */
const MESSAGES_PER_BATCH = 100;

/**
 * Enqueues work. A message only wakes a worker; the work itself is stored in D1. A queue failure
 * costs time, but never loses mail: the minute sweep finds the work.
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

/**
 * The time after the end of a lease at which a guard arrives, so that it finds the lease expired.
 */
const GUARD_LATE_MS = 1_000;

/**
 * Schedules a message for the end of a chunk's lease, in `leaseMs`. If the worker has crashed by
 * then, the message wakes another one. A live worker renews the guard.
 */
export function guardChunk(
  deps: Deps,
  { broadcastId, afterId }: { broadcastId: string; afterId: string },
  leaseMs: number,
): void {
  const guard = { type: "broadcast_chunk", broadcastId, afterId, isGuard: true } as const;
  deps.waitUntil(enqueue(deps, [guard], leaseMs + GUARD_LATE_MS));
}

/** Wakes a worker for one chunk, after a delay in milliseconds. */
export function wakeChunk(
  deps: Deps,
  { broadcastId, afterId }: { broadcastId: string; afterId: string },
  delayMs = 0,
): Promise<void> {
  return enqueue(deps, [{ type: "broadcast_chunk", broadcastId, afterId }], delayMs);
}

/** Wakes a worker for the chunk of a project that has been due for the longest time, if any. */
export async function wakeWaitingChunk(deps: Deps, projectId: string): Promise<void> {
  const [chunk] = await selectWaiting(deps.db, projectId, deps.now());
  if (chunk) await wakeChunk(deps, chunk);
}
