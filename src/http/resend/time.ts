import { invalidField } from "../../errors.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { faultOf } from "../../messages/faults.ts";
import type { Asked } from "./door-route.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const UNITS: ReadonlyMap<string, number> = new Map([
  ["second", SECOND_MS],
  ["sec", SECOND_MS],
  ["minute", MINUTE_MS],
  ["min", MINUTE_MS],
  ["hour", HOUR_MS],
  ["day", DAY_MS],
  ["week", 7 * DAY_MS],
]);

const LATER = /^in (an?|\d{1,6}) ([a-z]+?)s?$/;
const ON_DAY = /^(today|tomorrow) at (1[0-2]|[1-9])(?::([0-5]\d))? ?([ap])m$/;

/** Returns the time that words name, in milliseconds. Days and hours are those of UTC. */
function timeIn(words: string, now: number): number | undefined {
  const [, count = "", unit = ""] = LATER.exec(words) ?? [];
  const unitMs = UNITS.get(unit);
  if (unitMs !== undefined) return now + (count.startsWith("a") ? 1 : Number(count)) * unitMs;
  const [, day, hour = "", minute = "0", half] = ON_DAY.exec(words) ?? [];
  if (day === undefined) return undefined;
  const hours = (Number(hour) % 12) + (half === "p" ? 12 : 0);
  const midnight = now - (now % DAY_MS) + (day === "tomorrow" ? DAY_MS : 0);
  return midnight + hours * HOUR_MS + Number(minute) * MINUTE_MS;
}

/**
 * Returns a `scheduled_at` for our API, which validates times; words become the time that they name
 * now. Throws invalid_request for other texts.
 */
export function scheduledAt({ c }: Asked, given: unknown): unknown {
  if (typeof given !== "string" || /^\d{4}-/.test(given)) return given ?? undefined;
  const at = timeIn(given.trim().toLowerCase(), c.var.ctx.deps.now());
  if (at === undefined) throw invalidField("scheduled_at", faultOf("not_time_in_words"));
  return new Date(at).toISOString();
}

/** Returns an email, or a change of one, whose `scheduled_at` is a time. */
export const withTime = <Given>(asked: Asked, given: Given): Given =>
  typeof given === "object" && given !== null && "scheduled_at" in given
    ? { ...given, scheduled_at: scheduledAt(asked, given.scheduled_at) }
    : given;
