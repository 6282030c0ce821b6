import { MINUTE_MS } from "../../../lib/durations.ts";
import type { Span } from "../../webhooks/index.ts";
import type { EntryRow } from "../log-rows.ts";

/** The time before and after an event within which its deliveries were created. */
const BEFORE_MS = 1_000;
const AFTER_MAIL_MS = 2 * MINUTE_MS;
/**
 * A visit that arrives before its mail is logged waits for two minutes (queues/record-tracking.ts).
 */
const AFTER_VISIT_MS = 5 * MINUTE_MS;

/**
 * Returns the times at which webhooks were notified of a mail: of its outcome and its first visits.
 * The log does not store the time of a later bounce.
 */
export function spansOf({ sentAt, openedAt, clickedAt }: EntryRow): Span[] {
  const visits = [openedAt, clickedAt].filter((at) => at !== null);
  return [
    { from: sentAt - BEFORE_MS, to: sentAt + AFTER_MAIL_MS },
    ...visits.map((at) => ({ from: at - BEFORE_MS, to: at + AFTER_VISIT_MS })),
  ];
}
