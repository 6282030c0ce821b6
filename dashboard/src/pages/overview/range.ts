import { given, textParam, type RawSearch } from "../../lib/search-params.ts";

/** The ranges that a click chooses, in days. */
export const RANGE_DAYS = [1, 7, 30, 90] as const;

const USUAL_DAYS = 30;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The time of the overview in its address: a number of days until now, or two moments. */
export interface RangeSearch {
  days?: number;
  from?: string;
  to?: string;
}

const momentParam = (value: unknown): string | undefined => {
  const text = textParam(value);
  return text !== undefined && !Number.isNaN(Date.parse(text)) ? text : undefined;
};

/** Reads the time from the address. */
export function readRange(search: RawSearch): RangeSearch {
  const from = momentParam(search["from"]);
  const to = momentParam(search["to"]);
  const isWhole = from !== undefined && to !== undefined && from < to;
  return given({
    days: RANGE_DAYS.find((days) => days === Number(search["days"])),
    from: isWhole ? from : undefined,
    to: isWhole ? to : undefined,
  });
}

/**
 * Returns the two moments of a range. The end is a full hour, so that the same range is the same
 * question to the service for an hour.
 */
export function momentsOf({ days, from, to }: RangeSearch, now: number) {
  if (from !== undefined && to !== undefined) return { from, to };
  const end = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return {
    from: new Date(end - (days ?? USUAL_DAYS) * DAY_MS).toISOString(),
    to: new Date(end).toISOString(),
  };
}

/** Returns the days of the chosen button; undefined for a range of one's own. */
export const chosenDays = ({ days, from }: RangeSearch): number | undefined =>
  from === undefined ? (days ?? USUAL_DAYS) : undefined;
