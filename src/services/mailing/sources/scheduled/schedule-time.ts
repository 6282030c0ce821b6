import { invalidField } from "../../../../errors.ts";
import { DAY_MS } from "../../../../lib/durations.ts";
import { faultOf } from "../../../../messages/faults.ts";

/** The most days that a send may be scheduled ahead. */
const AHEAD_MAX_DAYS = 30;

/** Throws invalid_request for a time that has passed, or that is too far ahead. */
export function requireAhead(now: number, at: number): void {
  if (at <= now) throw invalidField("scheduled_at", faultOf("has_passed"));
  if (at > now + AHEAD_MAX_DAYS * DAY_MS)
    throw invalidField("scheduled_at", faultOf("too_far_ahead", { max: AHEAD_MAX_DAYS }));
}
