import { DAY_MS, HOUR_MS } from "../../lib/durations.ts";
import { piecesOf, touchedHours, type Bucket, type Span } from "../email-log/reports/index.ts";

/** The maximum number of buckets that a ranking reads. */
const MAX_BUCKETS = 400;
/** The link rows that an overview may read. */
const MAX_LINK_ROWS = 2 * MAX_BUCKETS;
/** The maximum number of links to read per bucket. More would barely change the top ten. */
const MAX_LINKS_A_BUCKET = 100;

/** Returns the latest 400 hours and days that a window touches, newest first. */
export function bucketsOf(window: Span, byHour: boolean): Bucket[] {
  const buckets = piecesOf(touchedHours(window), byHour).flatMap(({ grain, from, to }) => {
    const length = grain === "day" ? DAY_MS : HOUR_MS;
    return Array.from({ length: (to - from) / length }, (_, n) => ({
      grain,
      at: from + n * length,
    }));
  });
  return buckets.slice(-MAX_BUCKETS).toReversed();
}

/**
 * Returns the buckets whose clicks belong to a window, and how many links each may contribute.
 * Buckets × links stays below 800 rows for any number of links. If all of 90 days have clicks, the
 * five most clicked links of each day count, so the counts are lower bounds. `clicked` spans the
 * project's first click within retention to its last, or is undefined. Nothing outside it is read.
 */
export function linkBucketsOf(
  window: Span,
  byHour: boolean,
  clicked: Span | undefined,
): { buckets: Bucket[]; perBucket: number } {
  const from = Math.max(window.from, clicked?.from ?? Infinity);
  const to = Math.min(window.to, clicked?.to ?? -Infinity);
  const buckets = from < to ? bucketsOf({ from, to }, byHour) : [];
  // Each bucket costs one row of its own.
  const share = Math.floor(MAX_LINK_ROWS / Math.max(1, buckets.length)) - 1;
  return { buckets, perBucket: Math.min(share, MAX_LINKS_A_BUCKET) };
}
