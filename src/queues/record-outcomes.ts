import type { Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import { recordLate } from "../services/mailing/index.ts";
import { delayAfter, OUTCOME_BACK_OFF } from "./back-off.ts";
import type { OutcomeMessage } from "./messages.ts";

/**
 * Records outcomes that D1 could not take when they were known, and retries those that fail again.
 */
export async function recordOutcomes(
  deps: Deps,
  received: { message: Message; body: OutcomeMessage }[],
): Promise<void> {
  for (const { message, body } of received)
    try {
      await recordLate(deps, body);
      message.ack();
    } catch (error) {
      const { logId } = body.mail;
      logLine("error", "late_outcome_failed", { logId, error: errorText(error) });
      message.retry({ delaySeconds: delayAfter(message.attempts, OUTCOME_BACK_OFF) });
    }
}
