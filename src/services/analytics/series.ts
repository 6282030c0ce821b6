import type { Deps } from "../../deps.ts";
import type { BatchResults } from "../../db/client.ts";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { ceilTo, DAY_MS, floorTo, HOUR_MS, LAST_TIME } from "../../lib/durations.ts";
import { selectCounts, type Span } from "../email-log/reports/index.ts";
import { selectUnsubscriptions } from "../subscribers/index.ts";
import { bucketStart, bucketStarts, granularityOf, type Granularity } from "./granularity.ts";

/** The longest window: a series reads one row of mails for each of its days. */
const LONGEST_MS = 731 * DAY_MS;

/** A window of full hours or days has no edges. */
const WHOLE = { keptFrom: 0, edgeMax: 0 };

/** The mails sent within a bucket, and the unsubscribes in it. */
export interface SeriesPoint {
  /** Milliseconds: the start of the hour, day, week or month. */
  bucket: number;
  delivered: number;
  failed: number;
  bounced: number;
  /** Delivered mails that have since been opened or clicked. */
  opened: number;
  clicked: number;
  unsubscribed: number;
}

/** A series over whole hours or days. */
export interface Series extends Span {
  granularity: Granularity;
  /** Every bucket, oldest first. */
  points: SeriesPoint[];
}

/** Returns the window in whole hours or days, which rollups count without the log. */
export function wholeOf(window: Span): Span & { grain: "hour" | "day" } {
  const grain = granularityOf(window) === "hour" ? "hour" : "day";
  const length = grain === "hour" ? HOUR_MS : DAY_MS;
  return { grain, from: floorTo(window.from, length), to: ceilTo(window.to, length) };
}

/** Returns a window, or an empty one in place of one that will be refused. */
export const readableOf = (window: Span): Span =>
  window.from < window.to && window.to - window.from <= LONGEST_MS ? window : { from: 0, to: 0 };

/**
 * Returns a window in whole hours or days. Throws 400 for an empty one, for one of more than 731
 * days, and for one whose last hour or day ends after year 9999.
 */
export function requireReadable(window: Span): Span {
  if (window.from >= window.to) throw invalidField("from", faultOf("not_before", { field: "to" }));
  if (window.to - window.from > LONGEST_MS)
    throw invalidField("to", faultOf("days_after", { max: 731, field: "from" }));
  const whole = wholeOf(window);
  if (whole.to > LAST_TIME) throw invalidField("to", faultOf("year_out_of_range"));
  return whole;
}

/**
 * Returns the statements that run along with the access check; `readSeries` takes their results.
 */
export function seriesReads({ db }: Deps, projectId: string, window: Span) {
  const { grain, from, to } = wholeOf(readableOf(window));
  return [
    selectCounts(db, projectId, { from, to }, { ...WHOLE, byHour: grain === "hour" }),
    selectUnsubscriptions(db, projectId, grain, { from, to }),
  ] as const;
}

/**
 * Returns the outcomes of the mails of a window, bucket by bucket. Reads at most one row for each
 * hour or day of the window and one for each with unsubscribes. Throws as `requireReadable`.
 */
export function readSeries(
  window: Span,
  [mails, unsubscriptions]: BatchResults<ReturnType<typeof seriesReads>>,
): Series {
  const { from, to } = requireReadable(window);
  const granularity = granularityOf(window);
  const points = new Map(
    bucketStarts({ from, to }, granularity).map((bucket) => [bucket, emptyPoint(bucket)]),
  );
  const pointAt = (at: number) => {
    const bucket = bucketStart(at, granularity);
    const point = points.get(bucket) ?? emptyPoint(bucket);
    points.set(bucket, point);
    return point;
  };
  for (const { at, sent, failed, bounced, opened, clicked } of mails) {
    const point = pointAt(at);
    point.delivered += sent;
    point.failed += failed;
    point.bounced += bounced;
    point.opened += opened;
    point.clicked += clicked;
  }
  for (const { at, n } of unsubscriptions) pointAt(at).unsubscribed += n;
  return { from, to, granularity, points: [...points.values()] };
}

const emptyPoint = (bucket: number): SeriesPoint => ({
  bucket,
  delivered: 0,
  failed: 0,
  bounced: 0,
  opened: 0,
  clicked: 0,
  unsubscribed: 0,
});
