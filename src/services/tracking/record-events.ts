import type { App } from "../../app.ts";
import { runBatch, type Statement } from "../../db/client.ts";
import type { TrackingEvent } from "../../messages.ts";
import { runWithEvents } from "../webhooks/index.ts";
import { burstSpansOf } from "./click-bursts.ts";
import {
  countLinkClicks,
  emitClicks,
  emitOpens,
  insertClicks,
  markBursts,
  moveTotals,
  selectUnvisited,
  setFirstVisits,
} from "./queries.ts";
import type { ClickEvent } from "./tracking-event.ts";
import { clickRowsOf, firstVisitsOf } from "./visit-rows.ts";

/** What became of a batch of events. */
export interface Recorded {
  /** Log ids that are not, or not yet, in the log. */
  unlogged: ReadonlySet<string>;
}

/**
 * Records opens and clicks in at most two round trips of nine statements, however many there are (API
 * reference, "Open tracking" and "Click tracking"): a read leaves out what changes nothing, as most
 * loads of a pixel do, and one atomic batch writes the rest. The first open and the first click of a mail
 * are set once, every click is a row, and the counters and webhooks are told what was really new: that
 * the batch decides, so an event that is delivered twice counts once, and one of an unknown log id changes
 * nothing. Of several first visits in one batch the earliest counts. The caller bounds the batch: D1 takes
 * 2 MB as one value (documented).
 */
export async function recordEvents(app: App, events: TrackingEvent[]): Promise<Recorded> {
  const unvisited = await readUnvisited(app, events);
  const unlogged = new Set(
    Object.values(unvisited).flatMap((mails) =>
      [...mails].filter(([, logged]) => !logged).map(([logId]) => logId),
    ),
  );
  const logged = events.filter(({ logId }) => !unlogged.has(logId));
  const firsts = logged.filter(({ kind, logId }) => unvisited[kind].has(logId));
  await runWithEvents(app, [...visitStatements(app, firsts), ...clickStatements(app, logged)]);
  return { unlogged };
}

/** Mails of these events that were not opened, or not clicked, before; true for those in the log. */
type Unvisited = Record<TrackingEvent["kind"], ReadonlyMap<string, boolean>>;

const FIRSTS = [
  ["open", "opened_at"],
  ["click", "clicked_at"],
] as const;

async function readUnvisited({ db }: App, events: TrackingEvent[]): Promise<Unvisited> {
  const unvisited = { open: new Map<string, boolean>(), click: new Map<string, boolean>() };
  const reads = FIRSTS.flatMap(([kind, column]) => {
    const logIds = new Set(events.filter((event) => event.kind === kind).map(({ logId }) => logId));
    return logIds.size > 0 ? [{ kind, statement: selectUnvisited(db, column, [...logIds]) }] : [];
  });
  const results = await runBatch(
    db,
    reads.map(({ statement }) => statement),
  );
  for (const [index, { kind }] of reads.entries())
    for (const { logId, logged } of results[index] as { logId: string; logged: number }[])
      unvisited[kind].set(logId, logged === 1);
  return unvisited;
}

/** Rows as a parameter, each with the id of the event that webhooks may get of it. */
const asJson = ({ newId }: App, rows: object[]) =>
  JSON.stringify(rows.map((row) => ({ ...row, eventId: newId() })));

function visitStatements(app: App, events: TrackingEvent[]): Statement[] {
  if (events.length === 0) return [];
  const { db } = app;
  const firstVisits = firstVisitsOf(events);
  const visits = asJson(app, firstVisits);
  const hasOpens = firstVisits.some(({ openAt }) => openAt !== null);
  return [
    moveTotals(db, visits),
    ...(hasOpens ? [emitOpens(app, visits)] : []),
    setFirstVisits(db, visits),
  ];
}

function clickStatements(app: App, events: TrackingEvent[]): Statement[] {
  const once = [...new Map(events.filter(isClick).map((click) => [click.id, click])).values()];
  if (once.length === 0) return [];
  const { db } = app;
  const clicks = asJson(app, clickRowsOf(once));
  return [
    countLinkClicks(db, clicks),
    emitClicks(app, clicks),
    insertClicks(db, clicks),
    markBursts(db, JSON.stringify(burstSpansOf(once))),
  ];
}

const isClick = (event: TrackingEvent): event is ClickEvent => event.kind === "click";
