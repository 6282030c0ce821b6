import { DAY_MS, floorTo, HOUR_MS } from "../../lib/durations.ts";
import type { Span } from "../email-log/reports/index.ts";

export type Granularity = "hour" | "day" | "week" | "month";

const LONGEST_BY_HOUR_MS = 48 * HOUR_MS;
const LONGEST_BY_DAY_MS = 90 * DAY_MS;
const LONGEST_BY_WEEK_MS = 731 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;
/**
 * The offset of the first Monday. 1 January 1970 was a Thursday; weeks begin on Monday (ISO 8601).
 */
const THURSDAY_MS = 3 * DAY_MS;

/** Returns the length of the buckets of a window (API reference §16.3). */
export function granularityOf({ from, to }: Span): Granularity {
  const length = to - from;
  if (length <= LONGEST_BY_HOUR_MS) return "hour";
  if (length <= LONGEST_BY_DAY_MS) return "day";
  return length <= LONGEST_BY_WEEK_MS ? "week" : "month";
}

/**
 * Returns the start of a time's bucket: full hour, midnight, Monday or first of the month, UTC.
 */
export function bucketStart(at: number, granularity: Granularity): number {
  if (granularity === "hour") return floorTo(at, HOUR_MS);
  if (granularity === "day") return floorTo(at, DAY_MS);
  if (granularity === "week") return floorTo(at + THURSDAY_MS, WEEK_MS) - THURSDAY_MS;
  return firstOfMonth(at, 0);
}

/** Returns the starts of all buckets that touch a window, oldest first. */
export function bucketStarts({ from, to }: Span, granularity: Granularity): number[] {
  const starts: number[] = [];
  for (let at = bucketStart(from, granularity); at < to; at = nextBucket(at, granularity))
    starts.push(at);
  return starts;
}

function nextBucket(at: number, granularity: Granularity): number {
  if (granularity === "month") return firstOfMonth(at, 1);
  return at + { hour: HOUR_MS, day: DAY_MS, week: WEEK_MS }[granularity];
}

/**
 * Returns the first of a month. Uses `setUTC…` because `Date.UTC` reads the years 0 to 99 as 1900
 * to 1999.
 */
function firstOfMonth(at: number, monthsLater: number): number {
  const date = new Date(floorTo(at, DAY_MS));
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + monthsLater);
  return date.getTime();
}
