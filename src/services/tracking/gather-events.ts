import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { TrackingEvent } from "../../queues/messages.ts";
import { recordEvents } from "./record-events.ts";
import { jsonSize, splitBySize } from "../../lib/split-by-size.ts";

/** How long an event waits for others. */
const GATHER_MS = 50;
/** The limits of one message: the queue bills in units of 64 KB, and the envelope needs space. */
const MESSAGE_LIMIT = { items: 40, bytes: 60_000 };

/**
 * The buffered events of one server. It holds no promises, because a request may not await another
 * request's work.
 */
export type TrackingBuffer = TrackingEvent[];

/**
 * Sends an event to the tracking queue together with those of other requests: each request sends
 * everything in the buffer 50 ms after its response. The function neither waits nor throws. Events
 * that the queue rejects are written directly to D1, and each loss is logged. If an isolate ends
 * within those milliseconds, its buffered events are lost; if only a request ends, the next one
 * sends its event.
 */
export function trackEvent(deps: Deps, buffer: TrackingBuffer, event: TrackingEvent): void {
  buffer.push(event);
  deps.waitUntil(sendGathered(deps, buffer));
}

async function sendGathered(deps: Deps, buffer: TrackingBuffer): Promise<void> {
  await new Promise((resume) => setTimeout(resume, GATHER_MS));
  const messages = splitBySize(buffer.splice(0), MESSAGE_LIMIT, jsonSize);
  await Promise.all([...messages].map((message) => sendMessage(deps, message)));
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
