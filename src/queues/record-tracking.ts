import type { App } from "../app.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type { TrackingMessage } from "../messages.ts";
import { jsonSize, splitBySize } from "../lib/split-by-size.ts";
import { recordEvents } from "../services/tracking/index.ts";

/** First wait before a failed write is tried again, doubled with each attempt; seconds. */
const FIRST_RETRY_SECONDS = 10;

/** A broadcast logs a mail up to a lease after it was sent: visits of the meantime wait this long; seconds. */
const UNLOGGED_MAIL_WAIT_SECONDS = 120;

/** One write: what recording adds to an event (300 bytes) keeps its JSON parameters below a megabyte. */
const WRITE_LIMIT = { items: 500, bytes: 700_000 };

interface Received {
  message: Message;
  body: TrackingMessage;
}

/**
 * Records the events of a batch in as few writes as their size allows. A message that tells of mails not
 * yet in the log is tried once more: what of it is recorded already counts no second time.
 */
export async function recordTracking(app: App, received: Received[]): Promise<void> {
  const writes = splitBySize(received, WRITE_LIMIT, ({ body }) => ({
    items: body.events.length,
    bytes: jsonSize(body.events).bytes,
  }));
  for (const write of writes) await recordMessages(app, write);
}

async function recordMessages(app: App, received: Received[]): Promise<void> {
  const events = received.flatMap(({ body }) => body.events);
  try {
    const { unlogged } = await recordEvents(app, events);
    for (const { message, body } of received) {
      if (message.attempts === 1 && body.events.some(({ logId }) => unlogged.has(logId)))
        message.retry({ delaySeconds: UNLOGGED_MAIL_WAIT_SECONDS });
      else message.ack();
    }
  } catch (error) {
    logLine("error", "tracking_failed", { events: events.length, error: errorText(error) });
    for (const { message } of received)
      message.retry({ delaySeconds: FIRST_RETRY_SECONDS * 2 ** (message.attempts - 1) });
  }
}
