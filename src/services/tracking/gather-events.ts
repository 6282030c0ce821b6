import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { TrackingEvent } from "../../queues/messages.ts";
import { recordEvents } from "./record-events.ts";
import { jsonSize, splitBySize } from "../../lib/split-by-size.ts";

/** How long the first event of a batch waits for others. */
const GATHER_MS = 50;
/** The age at which the request that was to send a batch must have ended. */
const STUCK_MS = 1_000;
/** The limits of one message: the queue bills in units of 64 KB, and the envelope needs space. */
const MESSAGE_LIMIT = { items: 40, bytes: 60_000 };

interface Batch {
  events: TrackingEvent[];
  /** The time of its first event. */
  sinceMs: number;
}

/**
 * The buffered events of one server. It holds no promises, because a request may not await another
 * request's work.
 */
export interface TrackingBuffer {
  filling: Batch | undefined;
}

/**
 * Sends an event to the tracking queue together with those of other requests, some milliseconds
 * after the response. The request that starts a batch sends it after 50 ms; the request that fills
 * it (40 events) sends it immediately. The function neither waits nor throws. Events that the queue
 * rejects are written directly to D1, and each loss is logged.
 *
 * If an isolate ends within those milliseconds, it loses its buffered events: at most 40, plus
 * those of requests that were sending. If only the sending request ends, the batch is sent by the
 * next event that arrives a second later or fills it.
 */
export function trackEvent(deps: Deps, buffer: TrackingBuffer, event: TrackingEvent): void {
  const nowMs = deps.now();
  const batch = (buffer.filling ??= { events: [], sinceMs: nowMs });
  const count = batch.events.push(event);
  const isStuck = Math.abs(nowMs - batch.sinceMs) >= STUCK_MS; // the clock may go backwards
  if (count >= MESSAGE_LIMIT.items || isStuck) deps.waitUntil(sendSoon(deps, take(buffer, batch)));
  else if (count === 1) deps.waitUntil(sendGathered(deps, buffer, batch));
}

/**
 * Takes all events of a batch and closes it: another request that tries to send it finds it empty.
 */
function take(buffer: TrackingBuffer, batch: Batch): TrackingEvent[] {
  if (buffer.filling === batch) buffer.filling = undefined;
  return batch.events.splice(0);
}

async function sendGathered(deps: Deps, buffer: TrackingBuffer, batch: Batch): Promise<void> {
  await waitFor(GATHER_MS);
  await sendEvents(deps, take(buffer, batch));
}

/** Sends events after the response of the current request. */
async function sendSoon(deps: Deps, events: TrackingEvent[]): Promise<void> {
  await waitFor(0);
  await sendEvents(deps, events);
}

const waitFor = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

async function sendEvents(deps: Deps, events: TrackingEvent[]): Promise<void> {
  if (events.length === 0) return;
  const messages = fitSurely(events) ? [events] : [...splitBySize(events, MESSAGE_LIMIT, jsonSize)];
  await Promise.all(messages.map((message) => sendMessage(deps, message)));
}

/** Bytes of an event's names, ids and time as JSON; log ids are UUIDs at this point. */
const FRAME_BYTES = 250;
/** The maximum number of bytes of a UTF-16 code unit as JSON in UTF-8. */
const UNIT_BYTES_MAX = 6;

/**
 * Returns true if events certainly fit into one message, without encoding them. Nearly all batches
 * do.
 */
function fitSurely(events: TrackingEvent[]): boolean {
  let bytes = 0;
  for (const event of events) {
    const units = event.userAgent.length + event.ipAddress.length;
    const urlUnits = event.kind === "click" ? event.url.length : 0;
    bytes += FRAME_BYTES + UNIT_BYTES_MAX * (units + urlUnits);
  }
  return events.length <= MESSAGE_LIMIT.items && bytes <= MESSAGE_LIMIT.bytes;
}

async function sendMessage(deps: Deps, events: TrackingEvent[]): Promise<void> {
  try {
    await deps.trackingQueue.send({ type: "tracking", events });
  } catch (error) {
    logLine("warn", "tracking_queue_refused", { events: events.length, error: errorText(error) });
    await recordDirectly(deps, events);
  }
}

async function recordDirectly(deps: Deps, events: TrackingEvent[]): Promise<void> {
  try {
    await recordEvents(deps, events);
  } catch (error) {
    logLine("error", "tracking_event_lost", { events: events.length, error: errorText(error) });
  }
}
