import { DAY_MS, HOUR_MS } from "../../lib/durations.ts";

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ["h", HOUR_MS],
  ["d", DAY_MS],
  ["w", 7 * DAY_MS],
]);

const SPAN = /^([1-9]\d{0,3})([hdw])$/;

/**
 * The maximum span of a condition, and of a condition on mailings, which are not stored longer; our
 * own limits.
 */
export const LONGEST_SPAN_MS = 3_650 * DAY_MS;
export const LONGEST_MAILED_MS = 90 * DAY_MS;

/** Returns a span such as `90d`, `12h` or `4w` in milliseconds. Undefined for any other text. */
export function spanMs(text: string): number | undefined {
  const [, count, unit = ""] = SPAN.exec(text) ?? [];
  const length = UNIT_MS.get(unit);
  return count === undefined || length === undefined ? undefined : Number(count) * length;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** The time from `from` up to but not including `until`: a day (UTC), or a millisecond. */
export interface Moment {
  from: number;
  until: number;
}

/** Reads a day such as `2026-01-31`, or an RFC 3339 timestamp. Undefined for any other text. */
export function momentOf(text: string): Moment | undefined {
  const isDay = DAY.test(text);
  if (!isDay && !MOMENT.test(text)) return undefined;
  const from = Date.parse(text);
  // Date.parse accepts day 31 in any month.
  const [, month, day] = text.slice(0, 10).split("-").map(Number);
  const named = new Date(Date.parse(text.slice(0, 10)));
  if (Number.isNaN(from) || named.getUTCDate() !== day || named.getUTCMonth() + 1 !== month)
    return undefined;
  return { from, until: from + (isDay ? DAY_MS : 1) };
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,10})?$/;

/** Reads a decimal number. Undefined for any other text. */
export const numberOf = (text: string): number | undefined =>
  NUMBER.test(text) ? Number(text) : undefined;
