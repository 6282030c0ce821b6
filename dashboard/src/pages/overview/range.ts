import { given, textParam, type RawSearch } from "../../lib/search-params.ts";

/** Preset ranges, in days. */
export const RANGE_DAYS = [1, 7, 30, 90] as const;

const USUAL_DAYS = 30;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The period of the overview, as in the URL: a number of days until now, or two timestamps. */
export interface RangeSearch {
  days?: number;
  from?: string;
  to?: string;
}

const momentParam = (value: unknown): string | undefined => {
  const text = textParam(value);
  return text !== undefined && !Number.isNaN(Date.parse(text)) ? text : undefined;
};

/** Reads the period from the URL. */
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
 * Returns the timestamps of a range. The end is a full hour, so that the query key stays the same
 * for an hour.
 */
export function momentsOf({ days, from, to }: RangeSearch, now: number) {
  if (from !== undefined && to !== undefined) return { from, to };
  const end = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return {
    from: new Date(end - (days ?? USUAL_DAYS) * DAY_MS).toISOString(),
    to: new Date(end).toISOString(),
  };
}

/** Returns the period of the same length before another one. */
export function beforeOf({ from, to }: { from: string; to: string }) {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return { from: new Date(2 * start - end).toISOString(), to: from };
}

/** Returns the days of the selected preset; undefined for a custom range. */
export const chosenDays = ({ days, from }: RangeSearch): number | undefined =>
  from === undefined ? (days ?? USUAL_DAYS) : undefined;
