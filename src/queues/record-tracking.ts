import type { Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type { TrackingMessage } from "./messages.ts";
import { jsonSize, splitBySize } from "../lib/split-by-size.ts";
import { awaitedMails, recordEvents } from "../services/tracking/index.ts";
import { delayAfter, TRACKING_BACK_OFF } from "./back-off.ts";

/**
 * Retry delay in seconds for events of a mail that is not in the log yet: a broadcast logs a mail
 * up to one lease after sending it.
 */
const UNLOGGED_MAIL_WAIT_SECONDS = 120;

/**
 * Limits of one write. Recording adds 300 bytes per event, and the JSON parameters must stay below
 * a megabyte.
 */
const WRITE_LIMIT = { items: 500, bytes: 700_000 };

/** After this many consecutive failures, the database counts as the cause rather than a message. */
const MAX_FAILURES_IN_ROW = 3;

const NONE: ReadonlySet<string> = new Set();

interface Received {
  message: Message;
  body: TrackingMessage;
}

/**
 * Records the events of a batch in as few writes as their size allows. A message about a mail that
 * is in flight and not in the log yet gets one retry, even if writes failed in the first two
 * minutes. Duplicate events count once. Events of unknown mails are dropped.
 */
export async function recordTracking(deps: Deps, received: Received[]): Promise<void> {
  const writes = splitBySize(received, WRITE_LIMIT, ({ body }) => ({
    items: body.events.length,
    bytes: jsonSize(body.events).bytes,
  }));
  for (const write of writes)
    if (!(await recordMessages(deps, write))) await recordApart(deps, write);
}

/**
 * Records messages individually after a combined write failed, so that one poison message does not
 * block the others. Failed messages are retried for hours.
 */
async function recordApart(deps: Deps, received: Received[]): Promise<void> {
  let failures = received.length === 1 ? MAX_FAILURES_IN_ROW : 0;
  for (const one of received)
    if (failures < MAX_FAILURES_IN_ROW && (await recordMessages(deps, [one]))) failures = 0;
    else {
      failures += 1;
      const delaySeconds = delayAfter(one.message.attempts, TRACKING_BACK_OFF);
      one.message.retry({ delaySeconds });
    }
}

/**
 * Records messages in one write. Returns false if the write failed; the messages are then neither
 * acked nor retried.
 */
async function recordMessages(deps: Deps, received: Received[]): Promise<boolean> {
  const events = received.flatMap(({ body }) => body.events);
  try {
    const { unlogged } = await recordEvents(deps, events);
    const mayWait = new Set(received.filter((one) => hasNotWaited(deps, one)));
    const waits = mayWait.size > 0 && unlogged.size > 0;
    const awaited = waits ? await awaitedMails(deps, [...unlogged]) : NONE;
    for (const one of received) {
      const { message, body } = one;
      if (mayWait.has(one) && body.events.some(({ logId }) => awaited.has(logId)))
        message.retry({ delaySeconds: UNLOGGED_MAIL_WAIT_SECONDS });
      else message.ack();
    }
    return true;
  } catch (error) {
    logLine("error", "tracking_failed", { events: events.length, error: errorText(error) });
    return false;
  }
}

/**
 * Returns true if a message has not yet waited for its mail to be logged. A later attempt at a
 * recent event follows a failed write.
 */
const hasNotWaited = ({ now }: Deps, { message, body: { events } }: Received): boolean =>
  message.attempts === 1 ||
  events.every(({ at }) => now() - at < UNLOGGED_MAIL_WAIT_SECONDS * 1_000);
