import { DAY_MS, HOUR_MS } from "../../lib/durations.ts";
import { down, up, type Span } from "./window.ts";

/** An hour or a day whose clicks are counted by link. */
export interface LinkBucket {
  grain: "hour" | "day";
  at: number;
}

/** Rows that an overview may read of links. */
const MAX_LINK_ROWS = 800;
/** More than this of one bucket cannot change the first ten by much. */
const MAX_LINKS_A_BUCKET = 100;

/**
 * The hours and days whose clicks belong to a window, and how many links each may contribute.
 * Clicks have no index by time, so whole hours that touch the window count. Buckets × links stays
 * below 800 rows however many links there are: with clicks on every day of 90 the five most clicked
 * links of each day count, with clicks on more than 400 days the first of the latest 400. What a day
 * contributes beyond that is left out, so the counts are lower bounds. `clicked` is the time from the
 * first click of the project that retention has left to its last, or undefined: nothing else is looked
 * at.
 */
export function linkBucketsOf(
  window: Span,
  byHour: boolean,
  clicked: Span | undefined,
): { buckets: LinkBucket[]; perBucket: number } {
  if (!clicked) return { buckets: [], perBucket: 0 };
  const hours = {
    from: Math.max(down(window.from, HOUR_MS), clicked.from),
    to: Math.min(up(window.to, HOUR_MS), clicked.to),
  };
  const all = byHour ? every("hour", HOUR_MS, hours) : daysAndHours(hours);
  const buckets = all.toSorted((a, b) => b.at - a.at).slice(0, MAX_LINK_ROWS / 2);
  const share = Math.floor(MAX_LINK_ROWS / Math.max(1, buckets.length)) - 1; // the bucket is a row, too
  return { buckets, perBucket: Math.min(share, MAX_LINKS_A_BUCKET) };
}

function daysAndHours(hours: Span): LinkBucket[] {
  const days = { from: up(hours.from, DAY_MS), to: down(hours.to, DAY_MS) };
  return [
    ...every("hour", HOUR_MS, { from: hours.from, to: days.from }),
    ...every("day", DAY_MS, days),
    ...every("hour", HOUR_MS, { from: days.to, to: hours.to }),
  ];
}

function every(grain: LinkBucket["grain"], length: number, { from, to }: Span): LinkBucket[] {
  const count = Math.max(0, (to - from) / length);
  return Array.from({ length: count }, (_, index) => ({ grain, at: from + index * length }));
}
