import type { App } from "../../app.ts";
import { runBatch, type Statement } from "../../db/client.ts";
import type { TrackingEvent } from "../../messages.ts";
import { burstSpansOf } from "./click-bursts.ts";
import { crowdedClicks, withinCap } from "./click-cap.ts";
import {
  countLinkClicks,
  emitClicks,
  emitOpens,
  insertClicks,
  markBursts,
  moveTotals,
  selectBefore,
  setFirstVisits,
} from "./queries.ts";
import type { ClickEvent } from "./tracking-event.ts";
import { clickGroupsOf, visitGroupsOf } from "./visit-rows.ts";

/** What became of a batch of events. */
export interface Recorded {
  /** Log ids that are not, or not yet, in the log. */
  unlogged: ReadonlySet<string>;
}

/**
 * Records opens and clicks in at most two round trips of eight statements, however many there are (API
 * reference, "Open tracking" and "Click tracking"): a read leaves out what changes nothing, as most
 * loads of a pixel do, and one atomic batch writes the rest. The first open and the first click of a mail
 * are set once, up to 20 clicks of a link are rows in an hour, and the counters and webhooks are told what was really new: that
 * the batch decides, so an event that is delivered twice counts once, and one of an unknown log id changes
 * nothing. Of several first visits in one batch the earliest counts. The caller bounds the batch: D1 takes
 * 2 MB as one value (documented).
 */
export async function recordEvents(app: App, events: TrackingEvent[]): Promise<Recorded> {
  const byId = new Map(events.filter(isClick).map((click) => [click.id, click]));
  const clicks = withinCap([...byId.values()]);
  const { unvisited, recorded, hasWebhooks } = await readBefore(app, events, clicks);
  const unlogged = new Set(
    Object.values(unvisited).flatMap((mails) =>
      [...mails].filter(([, logged]) => !logged).map(([logId]) => logId),
    ),
  );
  const logged = events.filter(({ logId }) => !unlogged.has(logId));
  const firsts = logged.filter(({ kind, logId }) => unvisited[kind].has(logId));
  await runBatch(app.db, [
    ...visitStatements(app, firsts, hasWebhooks),
    ...clickStatements(
      app,
      clicks.filter(({ id, logId }) => !recorded.has(id) && !unlogged.has(logId)),
      hasWebhooks,
    ),
  ]);
  return { unlogged };
}

type Kind = TrackingEvent["kind"];

/** What holds before a batch is written. */
interface Before {
  /** Mails that were not opened, or not clicked; true for those in the log. */
  unvisited: Record<Kind, ReadonlyMap<string, boolean>>;
  /** Clicks that are recorded, as far as they share a link with others of the batch. */
  recorded: ReadonlySet<string>;
  /**
   * Whether anybody has an active webhook. All visits of the batch were before this read, so a webhook
   * that is made between it and the write has no claim to them.
   */
  hasWebhooks: boolean;
}

async function readBefore(
  { db }: App,
  events: TrackingEvent[],
  clicks: ClickEvent[],
): Promise<Before> {
  const logIdsOf = (kind: Kind) => [
    ...new Set(events.filter((event) => event.kind === kind).map(({ logId }) => logId)),
  ];
  const crowded = crowdedClicks(clicks).map(({ logId, id }): [string, string] => [logId, id]);
  const [rows] = await runBatch(db, [
    selectBefore(db, logIdsOf("open"), logIdsOf("click"), crowded),
  ]);
  const unvisited = { open: new Map<string, boolean>(), click: new Map<string, boolean>() };
  const recorded = new Set<string>();
  let hasWebhooks = false;
  for (const { what, logId, logged } of rows)
    if (what === "webhook") hasWebhooks = true;
    else if (what === "recorded") recorded.add(logId);
    else unvisited[what].set(logId, logged === 1);
  return { unvisited, recorded, hasWebhooks };
}

function visitStatements(app: App, events: TrackingEvent[], hasWebhooks: boolean): Statement[] {
  if (events.length === 0) return [];
  const { db } = app;
  const visits = JSON.stringify(visitGroupsOf(events, eventIds(app, hasWebhooks)));
  const hasOpens = events.some(({ kind }) => kind === "open");
  return [
    moveTotals(db, visits),
    ...(hasOpens && hasWebhooks ? [emitOpens(app, visits)] : []),
    setFirstVisits(db, visits),
  ];
}

function clickStatements(app: App, once: ClickEvent[], hasWebhooks: boolean): Statement[] {
  if (once.length === 0) return [];
  const { db } = app;
  const clicks = JSON.stringify(clickGroupsOf(once, eventIds(app, hasWebhooks)));
  return [
    countLinkClicks(db, clicks),
    ...(hasWebhooks ? [emitClicks(app, clicks)] : []),
    insertClicks(db, clicks),
    markBursts(db, JSON.stringify(burstSpansOf(once))),
  ];
}

/** The id of the event that webhooks get of a visit, if there are any. */
const eventIds = ({ newId }: App, hasWebhooks: boolean) => (hasWebhooks ? newId : () => null);

const isClick = (event: TrackingEvent): event is ClickEvent => event.kind === "click";
