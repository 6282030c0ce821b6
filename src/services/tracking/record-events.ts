import type { App } from "../../app.ts";
import type { Statement } from "../../db/client.ts";
import type { TrackingEvent } from "../../messages.ts";
import { runWithEvents } from "../webhooks/index.ts";
import {
  countLinkClicks,
  emitClicks,
  emitOpens,
  insertClicks,
  markBursts,
  moveTotals,
  selectUnlogged,
  setFirstVisits,
} from "./queries.ts";
import type { ClickEvent } from "./tracking-event.ts";
import { clickRowOf, firstVisitsOf } from "./visit-rows.ts";

/** What became of a batch of events. */
export interface Recorded {
  /** Log ids that are not, or not yet, in the log. */
  unlogged: ReadonlySet<string>;
}

/**
 * Records opens and clicks in one atomic D1 batch of at most eight statements, however many there are
 * (API reference, "Open tracking" and "Click tracking"). The first open and the first click of a mail
 * are set once, every click is a row, and the counters and webhooks are told what was really new: an event
 * that is delivered twice counts once, and one of an unknown log id changes nothing. Of several first visits
 * in one batch the earliest counts. The caller bounds the batch: D1 takes
 * 2 MB as one value (documented).
 */
export async function recordEvents(app: App, events: TrackingEvent[]): Promise<Recorded> {
  if (events.length === 0) return { unlogged: new Set() };
  const { db } = app;
  const firstVisits = firstVisitsOf(events);
  const visits = asJson(app, firstVisits);
  const hasOpens = firstVisits.some(({ openAt }) => openAt !== null);
  const [unlogged] = await runWithEvents(app, [
    selectUnlogged(db, visits),
    moveTotals(db, visits),
    ...(hasOpens ? [emitOpens(app, visits)] : []),
    setFirstVisits(db, visits),
    ...clickStatements(app, events),
  ]);
  return { unlogged: new Set((unlogged as { logId: string }[]).map(({ logId }) => logId)) };
}

/** Rows as a parameter, each with the id of the event that webhooks may get of it. */
const asJson = ({ newId }: App, rows: object[]) =>
  JSON.stringify(rows.map((row) => ({ ...row, eventId: newId() })));

function clickStatements(app: App, events: TrackingEvent[]): Statement[] {
  const { db } = app;
  const rows = new Map(events.filter(isClick).map((click) => [click.id, clickRowOf(click)]));
  if (rows.size === 0) return [];
  const clicks = asJson(app, [...rows.values()]);
  return [
    countLinkClicks(db, clicks),
    emitClicks(app, clicks),
    insertClicks(db, clicks),
    markBursts(db, clicks),
  ];
}

const isClick = (event: TrackingEvent): event is ClickEvent => event.kind === "click";
