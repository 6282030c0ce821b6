import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";

/** The maximum number of messages per `sendBatch` (Queues documentation, "Limits"). */
const MESSAGES_PER_BATCH = 100;

/**
 * Tells the senders of projects that there may be work. The work itself is stored in D1: a lost
 * message costs time, never mail, because the minute sweep finds the work. Never throws.
 */
export async function wakeSenders(deps: Deps, projectIds: string[]): Promise<void> {
  const messages = projectIds.map((projectId) => ({ body: { type: "wake", projectId } as const }));
  try {
    for (let at = 0; at < messages.length; at += MESSAGES_PER_BATCH)
      await deps.wakeQueue.sendBatch(messages.slice(at, at + MESSAGES_PER_BATCH));
  } catch (error) {
    logLine("warn", "wake_refused", { projects: projectIds.length, error: errorText(error) });
  }
}
