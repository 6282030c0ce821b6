import type { Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import { storeLetters } from "../services/dead-letters/index.ts";
import { DEAD_LETTER_BACK_OFF, delayAfter } from "./back-off.ts";

/** The queue that receives messages after their last retry (wrangler.toml). */
export const DEAD_QUEUE = "postrider-dead";

/**
 * Stores unhandled messages for an operator to view and replay. A message that cannot be stored is
 * retried for as long as the queue retains it.
 */
export async function keepDeadLetters(
  deps: Deps,
  queue: string,
  messages: readonly Message[],
): Promise<void> {
  const own = queue === DEAD_QUEUE ? undefined : queue;
  const stored = await store(
    deps,
    messages.map(({ id, body }) => ({ id, queue: own, body })),
  );
  for (const message of messages)
    if (stored.has(message.id)) message.ack();
    else message.retry({ delaySeconds: delayAfter(message.attempts, DEAD_LETTER_BACK_OFF) });
}

async function store(...work: Parameters<typeof storeLetters>): Promise<ReadonlySet<string>> {
  try {
    return await storeLetters(...work);
  } catch (error) {
    const [, { length: letters }] = work;
    logLine("error", "dead_letters_not_stored", { letters, error: errorText(error) });
    return new Set();
  }
}
