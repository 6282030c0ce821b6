import type { App } from "../../app.ts";
import type { Statement } from "../../db/client.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
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

/**
 * Hands an event to the tracking queue, which gathers what came within a second; writes it at once
 * when the queue refuses. Never throws: it runs after the answer was given, so a loss is logged.
 */
export async function trackEvent(app: App, event: TrackingEvent): Promise<void> {
  try {
    await app.trackingQueue.send({ type: "tracking", event });
  } catch (error) {
    logLine("warn", "tracking_queue_refused", { error: errorText(error) });
    await recordDirectly(app, event);
  }
}

async function recordDirectly(app: App, event: TrackingEvent): Promise<void> {
  try {
    await recordEvents(app, [event]);
  } catch (error) {
    const { kind, logId } = event;
    logLine("error", "tracking_event_lost", { kind, logId, error: errorText(error) });
  }
}

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
 * in one batch the earliest counts.
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
