import { ceilTo, DAY_MS, floorTo, HOUR_MS } from "../../lib/durations.ts";
import type { LinkBucket } from "../email-log/reports/index.ts";
import type { Span } from "./window.ts";

/** The link rows that an overview may read. */
const MAX_LINK_ROWS = 800;
/** The maximum number of links to read per bucket. More would barely change the top ten. */
const MAX_LINKS_A_BUCKET = 100;

/**
 * Returns the hours and days whose clicks belong to a window, and how many links each may
 * contribute.
 * Clicks have no index by time, so every hour that overlaps the window counts in full. Buckets ×
 * links stays below 800 rows for any number of links. If all of 90 days have clicks, the five most
 * clicked links of each day count. If more than 400 days have clicks, only the top link of each of
 * the latest 400 counts. The counts are lower bounds, because they omit the other links of a day.
 * `clicked` spans the project's first click within retention to its last, or is undefined. Nothing
 * outside it is read.
 */
export function linkBucketsOf(
  window: Span,
  byHour: boolean,
  clicked: Span | undefined,
): { buckets: LinkBucket[]; perBucket: number } {
  if (!clicked) return { buckets: [], perBucket: 0 };
  const hours = {
    from: Math.max(floorTo(window.from, HOUR_MS), clicked.from),
    to: Math.min(ceilTo(window.to, HOUR_MS), clicked.to),
  };
  const all = byHour ? every("hour", HOUR_MS, hours) : daysAndHours(hours);
  const buckets = all.toSorted((a, b) => b.at - a.at).slice(0, MAX_LINK_ROWS / 2);
  // Each bucket costs one row of its own.
  const share = Math.floor(MAX_LINK_ROWS / Math.max(1, buckets.length)) - 1;
  return { buckets, perBucket: Math.min(share, MAX_LINKS_A_BUCKET) };
}

function daysAndHours(hours: Span): LinkBucket[] {
  const days = { from: ceilTo(hours.from, DAY_MS), to: floorTo(hours.to, DAY_MS) };
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
