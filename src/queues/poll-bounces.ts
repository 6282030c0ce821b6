import type { Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type { BouncePollMessage } from "./messages.ts";
import { pollMailbox } from "../services/bounces/index.ts";

/** Polls mailboxes sequentially. Acks every message, because the next schedule polls again. */
export async function pollBounces(
  deps: Deps,
  received: { message: Message; body: BouncePollMessage }[],
): Promise<void> {
  for (const { message, body } of received) {
    try {
      await pollMailbox(deps, body.projectId);
    } catch (error) {
      const { projectId } = body;
      logLine("error", "bounce_poll_failed", { projectId, error: errorText(error) });
    }
    message.ack();
  }
}
