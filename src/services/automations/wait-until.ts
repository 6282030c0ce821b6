import { parseSpan } from "../../lib/automation-steps.ts";
import { WEEKDAYS, type Until, type WaitStep } from "../../lib/automation-definition.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/durations.ts";
import { clockOf, momentOf, type Clock } from "../../lib/time-zones.ts";

/** Returns when a wait that begins at a time ends, for a subscriber with this time zone. */
export function endOfWait(step: WaitStep, zone: unknown, now: number): number {
  if ("for" in step) return now + spanOf(step.for);
  if ("event" in step) return now + spanOf(step.event.within);
  return nextTime(step.until, zone, now);
}

/** Returns a stored span in milliseconds. */
function spanOf(text: string): number {
  const span = parseSpan(text);
  if (span === undefined) throw new Error(`"${text}" is not a span`); // checked when it was stored
  return span;
}

/** Returns the next time after `now` at which the clock shows this time of this weekday. */
function nextTime({ weekday, time, zone: named }: Until, zone: unknown, now: number): number {
  const clock = clockIn(named, zone);
  const midnight = floorDay(clock(now));
  for (let day = 0; ; day += 1) {
    const wall = midnight + day * DAY_MS;
    const isDay =
      weekday === undefined || WEEKDAYS[(new Date(wall).getUTCDay() + 6) % 7] === weekday;
    const at = isDay ? momentOf(clock, wall + minutesOf(time) * MINUTE_MS) : 0;
    if (at > now) return at;
  }
}

const floorDay = (wall: number) => Math.floor(wall / DAY_MS) * DAY_MS;

/** Returns the minutes since midnight of a time `HH:MM`. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/**
 * Returns the clock of a named zone or, for "recipient", that of the subscriber, which is UTC
 * without a valid one.
 */
export function clockIn(named: string, zone: unknown): Clock {
  const name = named === "recipient" ? zone : named;
  return clockOf(typeof name === "string" ? name : "") ?? ((at) => at);
}

/** Quiet hours: from a time of day up to another, perhaps of the next day. */
export interface QuietHours {
  from: string;
  to: string;
  zone: string;
}

/** Returns when the quiet hours that cover a time end; the time itself if none do. */
export function endOfQuiet(
  { from, to, zone: named }: QuietHours,
  zone: unknown,
  now: number,
): number {
  const clock = clockIn(named, zone);
  const wall = clock(now);
  const minute = Math.floor((wall - floorDay(wall)) / MINUTE_MS);
  const [first, last] = [minutesOf(from), minutesOf(to)];
  const isQuiet =
    first <= last ? minute >= first && minute < last : minute >= first || minute < last;
  return isQuiet ? nextTime({ time: to, zone: named }, zone, now) : now;
}
