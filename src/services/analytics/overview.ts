import type { Deps } from "../../deps.ts";
import type { Ctx } from "../../context.ts";
import { runBatch, type BatchResults } from "../../db/client.ts";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../lib/durations.ts";
import type { ProjectRow } from "../access/index.ts";
import { logKeptFrom } from "../email-log/index.ts";
import {
  selectClickedDays,
  selectLinks,
  selectMails,
  selectOpens,
  selectRollups,
  type ClickedDays,
  type LinkClicks,
  type LinksRow,
  type MailRow,
} from "../email-log/reports/index.ts";
import { bucketStart, bucketStarts, granularityOf, type Granularity } from "./granularity.ts";
import { linkBucketsOf } from "./link-buckets.ts";
import { selectActiveSubscribers } from "./queries.ts";
import { addUp, sharesOf, type MailTotals, type Shares, type Summand } from "./totals.ts";
import { edgeAt, piecesOfDays, piecesOfHours, type Edge, type Span } from "./window.ts";

const MAX_YEARS = 10;

/** The number of templates and links that an overview names. */
const TOP = 10;

/**
 * The rows to read at the edges and for templates, unless the edges need more than half of them.
 */
const MAILS_ROW_BUDGET = 2_400;

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
  topTemplates: { templateId: string; name: string; sends: number }[];
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
 * Totals cover mails sent in the window; the series covers first opens in it. Both are exact to the
 * millisecond, with two exceptions. An edge in days that retention has removed counts as the
 * nearest full hour. So does an edge in an hour of more than 1,000 mails (in the series: of more
 * than 1,000 first opens). The current hour ends now, so such an edge may round to now. An edge at
 * or after now includes everything.
 * Takes one D1 round trip after the access check. For a log of any length, a window of up to a year
 * reads fewer than 5,000 rows, and each further day adds five. Each of three edges also reads at
 * most half an hour of the log. Beyond 400 mails, each further mail adds up to three rows, fewer
 * than 14,000 in total. Two results are lower bounds. `topTemplates` is one if templates have more
 * rollup rows in the window than the budget leaves (some ten templates used every day of 90 days),
 * and in windows of more than 400 days. Then only the busiest hours and days count. `linkBucketsOf`
 * explains the bounds of `topClickedLinks`. Retention removes counts by link along with the log.
 * Throws 400 for an empty window and for one of more than ten years.
 */
export async function getOverview(
  ctx: Ctx,
  project: ProjectRow,
  window: Span,
  reads: OverviewResults,
): Promise<Overview> {
  requireWindow(window);
  const { db } = ctx.deps;
  const { from, to } = window;
  const granularity = granularityOf(window);
  const keptFrom = logKeptFrom(ctx.deps) ?? -Infinity;
  const now = ctx.deps.now();
  const edge = (at: number) => edgeAt(at, keptFrom, now);
  const [before, start, end] = [edge(from - (to - from)), edge(from), edge(to)];
  const piecesOf = granularity === "hour" ? piecesOfHours : piecesOfDays;
  const pieces = piecesOf({ from: start.hour, to: end.hour });
  const previousPieces = piecesOf({ from: before.hour, to: start.hour });
  const raws = [rawSpan(before, 0), rawSpan(start, -1), rawSpan(end, 1)];
  const links = linkBucketsOf(window, granularity === "hour", clickedSpan(reads));

  const [counts, previousCounts, mails, opens, linkRows, active] = await runBatch(db, [
    selectRollups(db, project.id, pieces),
    selectRollups(db, project.id, previousPieces),
    selectMails(db, project.id, raws, pieces, MAILS_ROW_BUDGET, TOP),
    selectOpens(db, project.id, raws),
    selectLinks(db, project.id, links.buckets, links.perBucket),
    selectActiveSubscribers(db, project.id),
  ]);

  const edges = mails.filter(({ section }) => section === "edge").map(edgeSummand);
  const atEdge = (edge: number, sign: number) =>
    edges.filter((one) => one.edge === edge).map((one) => ({ ...one, sign }));
  const opensAtEdges = opens.map(({ at, sign, n }) => ({ at, sign, opens: n }));
  return {
    from,
    to,
    granularity,
    rangeDays: Math.ceil((to - from) / DAY_MS),
    ...withShares([...counts, ...atEdge(1, -start.rawSign), ...atEdge(2, end.rawSign)]),
    previous: withShares([
      ...previousCounts,
      ...atEdge(0, -before.rawSign),
      ...atEdge(1, start.rawSign),
    ]),
    activeSubscribers: active[0]?.active ?? 0,
    opensSeries: seriesOf(window, granularity, [...counts, ...opensAtEdges]),
    topTemplates: mails
      .filter(({ section }) => section === "template")
      .map(({ key, name, n }) => ({ templateId: key, name, sends: n })),
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

/**
 * Returns the span to read at an edge. `side` is 1 where the window ends there, -1 where it begins.
 */
function rawSpan({ hour, raw, rawSign }: Edge, side: 1 | 0 | -1) {
  const span = raw ?? { from: hour, to: hour };
  return { ...span, hour: floorTo(span.from, HOUR_MS), sign: raw ? side * rawSign : 0 };
}

function edgeSummand({ edge, key, n, opened, clicked }: MailRow) {
  return key === "sent" ? { edge, sent: n, opened, clicked } : { edge, [key]: n };
}

function withShares(summands: Summand[]): WindowTotals {
  const totals = addUp(summands);
  return { totals, shares: sharesOf(totals) };
}

/** Returns the first opens of every bucket that touches the window. */
function seriesOf(
  window: Span,
  granularity: Granularity,
  counts: { at: number; sign: number; opens: number }[],
): Overview["opensSeries"] {
  const series = new Map(bucketStarts(window, granularity).map((bucket) => [bucket, 0]));
  for (const { at, sign, opens } of counts) {
    const bucket = bucketStart(at, granularity);
    series.set(bucket, (series.get(bucket) ?? 0) + sign * opens);
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
