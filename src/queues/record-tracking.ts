import type { App } from "../app.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type { TrackingMessage } from "../messages.ts";
import { recordEvents } from "../services/tracking/index.ts";

/** First wait before a failed write is tried again, doubled with each attempt; seconds. */
const FIRST_RETRY_SECONDS = 10;

/** A broadcast logs a mail up to a lease after it was sent: visits of the meantime wait this long; seconds. */
const UNLOGGED_MAIL_WAIT_SECONDS = 120;

/** Records all events of a batch in one write; those of mails not yet in the log are tried once more. */
export async function recordTracking(
  app: App,
  received: { message: Message; body: TrackingMessage }[],
): Promise<void> {
  try {
    const { unlogged } = await recordEvents(
      app,
      received.map(({ body }) => body.event),
    );
    for (const { message, body } of received) {
      if (unlogged.has(body.event.logId) && message.attempts === 1)
        message.retry({ delaySeconds: UNLOGGED_MAIL_WAIT_SECONDS });
      else message.ack();
    }
  } catch (error) {
    logLine("error", "tracking_failed", { events: received.length, error: errorText(error) });
    for (const { message } of received)
      message.retry({ delaySeconds: FIRST_RETRY_SECONDS * 2 ** (message.attempts - 1) });
  }
}
