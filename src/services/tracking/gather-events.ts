import type { App } from "../../app.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { TrackingEvent } from "../../messages.ts";
import { recordEvents } from "./record-events.ts";
import { jsonSize, splitBySize } from "../../lib/split-by-size.ts";

/** How long the first event of a batch waits for others. */
const GATHER_MS = 50;
/** A batch that waited this long has lost the request that was to send it. */
const STUCK_MS = 1_000;
/** A queue message is billed for each 64 KB begun; this leaves room for its envelope. */
const MESSAGE_LIMIT = { items: 40, bytes: 60_000 };

interface Batch {
  events: TrackingEvent[];
  /** When its first event came. */
  sinceMs: number;
}

/** The events of one server that wait for company: plain data, as no request may await another's work. */
export interface TrackingBuffer {
  filling: Batch | undefined;
}

/**
 * Takes an event to the tracking queue together with those of other requests, some milliseconds after
 * the answer: the request that began a batch sends it after 50 ms, the one that fills it (40
 * events) at once. Neither waits nor throws; what the queue refuses is written to D1 directly, and a
 * loss is logged with its count.
 *
 * Lost is what an isolate holds that is ended within those milliseconds: 40 events at most, and those
 * in the hands of requests that were sending. If only the request that was to send is ended, its
 * batch is sent by the next event that comes a second later or fills it.
 */
export function trackEvent(app: App, buffer: TrackingBuffer, event: TrackingEvent): void {
  const nowMs = app.now();
  const batch = (buffer.filling ??= { events: [], sinceMs: nowMs });
  const count = batch.events.push(event);
  const isStuck = Math.abs(nowMs - batch.sinceMs) >= STUCK_MS; // a clock may go back
  if (count >= MESSAGE_LIMIT.items || isStuck) app.waitUntil(sendSoon(app, take(buffer, batch)));
  else if (count === 1) app.waitUntil(sendGathered(app, buffer, batch));
}

/** All events of a batch, which is over with that: whoever else meant to send it finds it empty. */
function take(buffer: TrackingBuffer, batch: Batch): TrackingEvent[] {
  if (buffer.filling === batch) buffer.filling = undefined;
  return batch.events.splice(0);
}

async function sendGathered(app: App, buffer: TrackingBuffer, batch: Batch): Promise<void> {
  await waitFor(GATHER_MS);
  await sendEvents(app, take(buffer, batch));
}

/** After the answer of the request that sends. */
async function sendSoon(app: App, events: TrackingEvent[]): Promise<void> {
  await waitFor(0);
  await sendEvents(app, events);
}

const waitFor = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

async function sendEvents(app: App, events: TrackingEvent[]): Promise<void> {
  if (events.length === 0) return;
  const messages = fitSurely(events) ? [events] : splitBySize(events, MESSAGE_LIMIT, jsonSize);
  await Promise.all(messages.map((message) => sendMessage(app, message)));
}

/** Names, ids and time of an event as JSON; log ids are UUIDs by now. */
const FRAME_BYTES = 250;
/** As JSON in UTF-8 a UTF-16 unit takes no more. */
const UNIT_BYTES_MAX = 6;

/** Whether events fit into one message for certain, told without writing them; nearly always they do. */
function fitSurely(events: TrackingEvent[]): boolean {
  let bytes = 0;
  for (const event of events) {
    const units = event.userAgent.length + event.ipAddress.length;
    const urlUnits = event.kind === "click" ? event.url.length : 0;
    bytes += FRAME_BYTES + UNIT_BYTES_MAX * (units + urlUnits);
  }
  return events.length <= MESSAGE_LIMIT.items && bytes <= MESSAGE_LIMIT.bytes;
}

async function sendMessage(app: App, events: TrackingEvent[]): Promise<void> {
  try {
    await app.trackingQueue.send({ type: "tracking", events });
  } catch (error) {
    logLine("warn", "tracking_queue_refused", { events: events.length, error: errorText(error) });
    await recordDirectly(app, events);
  }
}

async function recordDirectly(app: App, events: TrackingEvent[]): Promise<void> {
  try {
    await recordEvents(app, events);
  } catch (error) {
    logLine("error", "tracking_event_lost", { events: events.length, error: errorText(error) });
  }
}
