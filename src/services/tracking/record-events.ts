import type { Deps } from "../../deps.ts";
import { runBatch, type Statement } from "../../db/client.ts";
import type { TrackingEvent } from "../../queues/messages.ts";
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

/** The result of recording a batch of events. */
export interface Recorded {
  /** Log ids that are not, or not yet, in the log. */
  unlogged: ReadonlySet<string>;
}

/**
 * Records opens and clicks in at most two round trips of eight statements, however many events
 * there are (API reference, "Open tracking" and "Click tracking"). A read drops events without
 * effect, as most loads of a pixel are, and one atomic batch writes the others. The first open and
 * the first click of a mail are set once, and up to 20 clicks of a link become rows in an hour.
 * Counters and webhooks receive the visits that are really new. The batch decides which are, so an
 * event that arrives twice counts once, and an unknown log id changes nothing. Of several first
 * visits in one batch the earliest counts. The caller bounds the batch: D1 takes 2 MB as one value
 * (documented).
 */
export async function recordEvents(deps: Deps, events: TrackingEvent[]): Promise<Recorded> {
  const byId = new Map(events.filter(isClick).map((click) => [click.id, click]));
  const clicks = withinCap([...byId.values()]);
  const { unvisited, recorded, hasWebhooks } = await readBefore(deps, events, clicks);
  const unlogged = new Set(
    Object.values(unvisited).flatMap((mails) =>
      [...mails].filter(([, logged]) => !logged).map(([logId]) => logId),
    ),
  );
  const logged = events.filter(({ logId }) => !unlogged.has(logId));
  const firsts = logged.filter(({ kind, logId }) => unvisited[kind].has(logId));
  await runBatch(deps.db, [
    ...visitStatements(deps, firsts, hasWebhooks),
    ...clickStatements(
      deps,
      clicks.filter(({ id, logId }) => !recorded.has(id) && !unlogged.has(logId)),
      hasWebhooks,
    ),
  ]);
  return { unlogged };
}

type Kind = TrackingEvent["kind"];

/** The state before the write of a batch. */
interface Before {
  /** Mails without an open, or without a click; true for those in the log. */
  unvisited: Record<Kind, ReadonlyMap<string, boolean>>;
  /** Recorded clicks among those that share a link with others of the batch. */
  recorded: ReadonlySet<string>;
  /**
   * True when anybody has an active webhook. All visits of the batch precede this read, so a
   * webhook created between it and the write has no claim to them.
   */
  hasWebhooks: boolean;
}

async function readBefore(
  { db }: Deps,
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

function visitStatements(deps: Deps, events: TrackingEvent[], hasWebhooks: boolean): Statement[] {
  if (events.length === 0) return [];
  const { db } = deps;
  const visits = JSON.stringify(visitGroupsOf(events, eventIds(deps, hasWebhooks)));
  const hasOpens = events.some(({ kind }) => kind === "open");
  return [
    moveTotals(db, visits),
    ...(hasOpens && hasWebhooks ? [emitOpens(deps, visits)] : []),
    setFirstVisits(db, visits),
  ];
}

function clickStatements(deps: Deps, once: ClickEvent[], hasWebhooks: boolean): Statement[] {
  if (once.length === 0) return [];
  const { db } = deps;
  const clicks = JSON.stringify(clickGroupsOf(once, eventIds(deps, hasWebhooks)));
  return [
    countLinkClicks(db, clicks),
    ...(hasWebhooks ? [emitClicks(deps, clicks)] : []),
    insertClicks(db, clicks),
    markBursts(db, JSON.stringify(burstSpansOf(once))),
  ];
}

/** Returns the maker of ids for webhook events; its ids are null without webhooks. */
const eventIds = ({ newId }: Deps, hasWebhooks: boolean) => (hasWebhooks ? newId : () => null);

const isClick = (event: TrackingEvent): event is ClickEvent => event.kind === "click";
