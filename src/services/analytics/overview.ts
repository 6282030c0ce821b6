import type { Deps } from "../../deps.ts";
import type { Ctx } from "../../context.ts";
import { runBatch, type BatchResults } from "../../db/client.ts";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { ceilTo, DAY_MS, HOUR_MS } from "../../lib/durations.ts";
import type { ProjectRow } from "../access/index.ts";
import { logKeptFrom } from "../email-log/index.ts";
import {
  hoursAndEdges,
  selectClickedDays,
  selectCounts,
  selectLinks,
  selectTemplates,
  type ClickedDays,
  type CountRow,
  type LinkClicks,
  type LinksRow,
  type Span,
  type TemplateSends,
} from "../email-log/reports/index.ts";
import { bucketsOf, linkBucketsOf } from "./buckets.ts";
import { bucketStart, bucketStarts, granularityOf, type Granularity } from "./granularity.ts";
import { selectActiveSubscribers } from "./queries.ts";
import { addUp, sharesOf, type MailTotals, type Shares } from "./totals.ts";

const MAX_YEARS = 10;

/** The number of templates and links that an overview names. */
const TOP = 10;

/** The maximum number of rows to read for templates. */
const TEMPLATE_ROWS = 1_000;

/** The maximum number of mails of an hour at an edge for it to be counted exactly. */
const EDGE_MAX = 1_000;

/** The mails of one window. Shares are in percent with two decimals. */
export interface WindowTotals {
  totals: MailTotals;
  shares: Shares;
}

/** The contents of an overview. Times are in milliseconds. */
export interface Overview extends WindowTotals {
  from: number;
  to: number;
  granularity: Granularity;
  rangeDays: number;
  /** The preceding window of equal length. */
  previous: WindowTotals;
  /** The current number, regardless of the window. */
  activeSubscribers: number;
  /** Every bucket, oldest first. `bucket` is the start of the hour, day, week or month. */
  opensSeries: { bucket: number; opens: number }[];
  topTemplates: TemplateSends[];
  topClickedLinks: LinkClicks[];
}

/**
 * Returns the statements that run along with the access check. `getOverview` takes their results.
 */
export const overviewReads = (deps: Deps, projectId: string) =>
  [selectClickedDays(deps.db, projectId)] as const;

type OverviewResults = BatchResults<ReturnType<typeof overviewReads>>;

/**
 * Returns the statistics of the mails of a window `[from, to)` (API reference §16.3, decision D5).
 * Counts are exact to the millisecond, except that an hour at an edge counts in full if it has more
 * than 1,000 mails or if retention has removed them, and that links count every hour that the window
 * touches. Takes one D1 round
 * trip after the access check and reads a bounded number of rows for a log of any length: the
 * templates of many buckets and the links (`linkBucketsOf`) are lower bounds.
 * Throws 400 for an empty window and for one of more than ten years.
 */
export async function getOverview(
  ctx: Ctx,
  project: ProjectRow,
  window: Span,
  reads: OverviewResults,
): Promise<Overview> {
  requireWindow(window);
  const { db, now } = ctx.deps;
  const { from, to } = window;
  const granularity = granularityOf(window);
  const byHour = granularity === "hour";
  const keptFrom = logKeptFrom(ctx.deps) ?? 0;
  const options = { byHour, keptFrom, edgeMax: EDGE_MAX };
  const end = to < now() ? to : ceilTo(to, HOUR_MS); // no mail is later, so the hour counts in full
  const { hours, edges } = hoursAndEdges({ from, to: end });
  const links = linkBucketsOf(window, byHour, clickedSpan(reads));
  const [counts, previous, topTemplates, linkRows, [active]] = await runBatch(db, [
    selectCounts(db, project.id, { from, to: end }, options),
    selectCounts(db, project.id, { from: from - (to - from), to: from }, options),
    selectTemplates(
      db,
      project.id,
      { buckets: bucketsOf(hours, byHour), edges },
      { top: TOP, rowMax: TEMPLATE_ROWS },
    ),
    selectLinks(db, project.id, links.buckets, links.perBucket),
    selectActiveSubscribers(db, project.id),
  ]);
  return {
    from,
    to,
    granularity,
    rangeDays: Math.ceil((to - from) / DAY_MS),
    ...withShares(counts),
    previous: withShares(previous),
    activeSubscribers: active?.active ?? 0,
    opensSeries: seriesOf(window, granularity, counts),
    topTemplates,
    topClickedLinks: topLinks(linkRows),
  };
}

function requireWindow({ from, to }: Span): void {
  if (from >= to) throw invalidField("from", faultOf("not_before", { field: "to" }));
  const latest = new Date(from);
  latest.setUTCFullYear(latest.getUTCFullYear() + MAX_YEARS);
  if (to > latest.getTime())
    throw invalidField("to", faultOf("years_after", { max: MAX_YEARS, field: "from" }));
}

function withShares(counts: CountRow[]): WindowTotals {
  const totals = addUp(counts);
  return { totals, shares: sharesOf(totals) };
}

/** Returns the first opens of every bucket that touches the window. */
function seriesOf(
  window: Span,
  granularity: Granularity,
  counts: CountRow[],
): Overview["opensSeries"] {
  const series = new Map(bucketStarts(window, granularity).map((bucket) => [bucket, 0]));
  for (const { at, opens } of counts) {
    const bucket = bucketStart(at, granularity);
    series.set(bucket, (series.get(bucket) ?? 0) + opens);
  }
  return [...series].map(([bucket, opens]) => ({ bucket, opens }));
}

function clickedSpan(reads: OverviewResults): Span | undefined {
  const [[{ first, last } = NO_CLICKS]] = reads;
  return first === null || last === null ? undefined : { from: first, to: last + DAY_MS };
}

const NO_CLICKS: ClickedDays = { first: null, last: null };

/** Adds up the links of all buckets. Sorts ties by URL. */
function topLinks(rows: LinksRow[]): Overview["topClickedLinks"] {
  const clicksOf = new Map<string, number>();
  for (const { links } of rows)
    // `selectLinks` builds this JSON.
    for (const { url, clicks } of JSON.parse(links) as LinkClicks[])
      clicksOf.set(url, (clicksOf.get(url) ?? 0) + clicks);
  return [...clicksOf]
    .map(([url, clicks]) => ({ url, clicks }))
    .toSorted((a, b) => b.clicks - a.clicks || (a.url < b.url ? -1 : 1))
    .slice(0, TOP);
}
