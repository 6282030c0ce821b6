import { invalidField } from "../../../errors.ts";
import { faultOf } from "../../../messages/faults.ts";
import { MINUTE_MS } from "../../../lib/durations.ts";
import { firstMoment } from "../time-zones/due-times.ts";
import type { DraftInput } from "./draft-input.ts";

/** The undo window: the time between a start and the first mail. */
export const UNDO_MS = 15_000;

/** How far `send_at` may lie in the past, because users enter whole minutes. */
const PAST_MAX_MS = MINUTE_MS;

/**
 * Returns the time at which a draft that is started now begins to send. With time zones, that is
 * when the first zone reaches the time. Throws 400 for a time in the past, and for a time zone
 * without a time.
 */
export function startTime(
  { sendAt, timeZone }: Pick<DraftInput, "sendAt" | "timeZone">,
  now: number,
): number {
  if (timeZone !== null && sendAt === null)
    throw invalidField("time_zone", faultOf("needs_field", { field: "send_at" }));
  if (sendAt === null) return now + UNDO_MS;
  if (sendAt < now - PAST_MAX_MS) throw invalidField("send_at", faultOf("has_passed"));
  const first = timeZone === null ? sendAt : firstMoment(sendAt, timeZone);
  return Math.max(first, now + UNDO_MS);
}
