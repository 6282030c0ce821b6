import type { Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type { TrackingMessage } from "./messages.ts";
import { jsonSize, splitBySize } from "../lib/split-by-size.ts";
import { awaitedMails, recordEvents } from "../services/tracking/index.ts";

/** First wait in seconds before a failed write is retried; each attempt doubles it. */
const FIRST_RETRY_SECONDS = 10;

/**
 * Wait in seconds of visits to a mail that is not in the log yet: a broadcast logs a mail up to a
 * lease after sending it.
 */
const UNLOGGED_MAIL_WAIT_SECONDS = 120;

/**
 * Limit of one write. Recording adds 300 bytes per event, which keeps the JSON parameters below a
 * megabyte.
 */
const WRITE_LIMIT = { items: 500, bytes: 700_000 };

const NONE: ReadonlySet<string> = new Set();

interface Received {
  message: Message;
  body: TrackingMessage;
}

/**
 * Records the events of a batch in as few writes as their size allows. A message about a mail that
 * a worker has in hand, and that is not in the log yet, gets one retry; events recorded already do
 * not count twice. Visits to unknown mails are dropped.
 */
export async function recordTracking(deps: Deps, received: Received[]): Promise<void> {
  const writes = splitBySize(received, WRITE_LIMIT, ({ body }) => ({
    items: body.events.length,
    bytes: jsonSize(body.events).bytes,
  }));
  for (const write of writes) await recordMessages(deps, write);
}

async function recordMessages(deps: Deps, received: Received[]): Promise<void> {
  const events = received.flatMap(({ body }) => body.events);
  try {
    const { unlogged } = await recordEvents(deps, events);
    const isFirst = received.some(({ message }) => message.attempts === 1);
    const awaited = isFirst && unlogged.size > 0 ? await awaitedMails(deps, [...unlogged]) : NONE;
    for (const { message, body } of received) {
      if (message.attempts === 1 && body.events.some(({ logId }) => awaited.has(logId)))
        message.retry({ delaySeconds: UNLOGGED_MAIL_WAIT_SECONDS });
      else message.ack();
    }
  } catch (error) {
    logLine("error", "tracking_failed", { events: events.length, error: errorText(error) });
    for (const { message } of received)
      message.retry({ delaySeconds: FIRST_RETRY_SECONDS * 2 ** (message.attempts - 1) });
  }
}
