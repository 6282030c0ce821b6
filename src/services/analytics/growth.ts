import type { BatchResults } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { DAY_MS, HOUR_MS } from "../../lib/durations.ts";
import type { Span } from "../email-log/reports/index.ts";
import { selectJoined, selectUnsubscriptions } from "../subscribers/index.ts";
import { selectLost } from "../suppressions/index.ts";
import { bucketStart, bucketStarts, granularityOf, type Granularity } from "./granularity.ts";
import { readableOf, requireReadable, wholeOf } from "./series.ts";

/** The largest number of people who joined, and of suppressions for each reason, that are read. */
const JOINED_MAX = 50_000;
const LOST_MAX = 10_000;

/** How the audience changed within a bucket. */
export interface GrowthPoint {
  bucket: number;
  joined: number;
  unsubscribed: number;
  suppressed: number;
}

export interface Growth extends Span {
  granularity: Granularity;
  /** False if more people joined than are counted; the latest ones are. */
  isComplete: boolean;
  points: GrowthPoint[];
}

/**
 * Returns the statements that run along with the access check; `readGrowth` takes their results.
 */
export function growthReads({ db }: Deps, projectId: string, window: Span) {
  const { grain, from, to } = wholeOf(readableOf(window));
  const length = grain === "hour" ? HOUR_MS : DAY_MS;
  return [
    selectJoined(db, projectId, { from, to }, { length, most: JOINED_MAX }),
    selectUnsubscriptions(db, projectId, grain, { from, to }),
    selectLost(db, projectId, { from, to }, { length, most: LOST_MAX }),
  ] as const;
}

/**
 * Returns who joined and left in a window, bucket by bucket (API reference §16.2). Windows are those
 * of the series. Reads a row for each who joined, up to 50,000, and for each lost address.
 */
export function readGrowth(
  window: Span,
  [joined, unsubscribed, suppressed]: BatchResults<ReturnType<typeof growthReads>>,
): Growth {
  const { from, to } = requireReadable(window);
  const granularity = granularityOf(window);
  const points = bucketStarts({ from, to }, granularity).map((bucket) => {
    const sum = (rows: { at: number; n: number }[]) =>
      rows.reduce((n, row) => n + (bucketStart(row.at, granularity) === bucket ? row.n : 0), 0);
    return {
      bucket,
      joined: sum(joined),
      unsubscribed: sum(unsubscribed),
      suppressed: sum(suppressed),
    };
  });
  const isComplete = joined.reduce((n, row) => n + row.n, 0) < JOINED_MAX;
  return { from, to, granularity, isComplete, points };
}
