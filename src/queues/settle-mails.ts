import type { Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import { settleLate } from "../services/mailing/index.ts";
import { delayAfter, SETTLE_BACK_OFF } from "./back-off.ts";
import type { SettleMessage } from "./messages.ts";

/**
 * Records outcomes that D1 could not take when they were known, and retries those that fail again.
 */
export async function settleMails(
  deps: Deps,
  received: { message: Message; body: SettleMessage }[],
): Promise<void> {
  for (const { message, body } of received)
    try {
      await settleLate(deps, body);
      message.ack();
    } catch (error) {
      const { logId } = body.mail;
      logLine("error", "late_settle_failed", { logId, error: errorText(error) });
      message.retry({ delaySeconds: delayAfter(message.attempts, SETTLE_BACK_OFF) });
    }
}
