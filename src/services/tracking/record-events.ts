import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import type { TrackingEvent } from "../../queues/messages.ts";
import { recordClicks, recordFirstVisits, selectUnrecorded } from "../email-log/visits/index.ts";
import { BURST_MS, burstSpansOf } from "./click-bursts.ts";
import type { ClickEvent } from "./tracking-event.ts";
import { clickGroupsOf, visitGroupsOf } from "./visit-rows.ts";

/**
 * The maximum number of recorded clicks per mail (API reference §13.2). Later ones are only
 * counted.
 */
const MAX_OF_MAIL = 200;

const CLICK_LIMITS = { ofMail: MAX_OF_MAIL, burstMs: BURST_MS };

export interface Recorded {
  /** Log ids that are not (yet) in the log. */
  unlogged: ReadonlySet<string>;
}

/**
 * Records opens and clicks in at most two round trips, regardless of the number of events (API
 * reference, "Open tracking" and "Click tracking"). A read drops events without effect, such as
 * most pixel loads, and one atomic batch writes the others. The first open and the first click of a
 * mail are set once, and the first 200 clicks of a mail become rows. Counters and webhooks receive
 * only visits that are actually new. The batch decides which are, so an event that arrives twice
 * counts once, and an unknown log id changes nothing. A click beyond the 200 is only counted, again
 * if it arrives again. If a batch has several first visits, the earliest counts. The caller limits
 * the size of the batch: D1 accepts 2 MB per value (documented).
 */
export async function recordEvents(deps: Deps, events: TrackingEvent[]): Promise<Recorded> {
  const byId = new Map(events.filter(isClick).map((click) => [click.id, click]));
  const clicks = [...byId.values()];
  const { unvisited, recorded, hasWebhooks, ...presence } = await readBefore(deps, events, clicks);
  const unlogged = new Set(
    Object.values(unvisited).flatMap((mails) =>
      [...mails].filter(([, logged]) => !logged).map(([logId]) => logId),
    ),
  );
  const logged = events.filter(({ logId }) => !unlogged.has(logId));
  const firsts = logged.filter(({ kind, logId }) => unvisited[kind].has(logId));
  const fresh = clicks.filter(({ id, logId }) => !recorded.has(id) && !unlogged.has(logId));
  const newEventId = hasWebhooks ? deps.newId : () => null;
  await runBatch(deps.db, [
    ...recordFirstVisits(deps, visitGroupsOf(firsts, newEventId), presence),
    ...recordClicks(deps, clickGroupsOf(fresh, newEventId), burstSpansOf(fresh), {
      ...CLICK_LIMITS,
      ...presence,
    }),
  ]);
  return { unlogged };
}

type Kind = TrackingEvent["kind"];

/** The state before the write of a batch. */
interface Before {
  /** Mails without an open, or without a click; true for those in the log. */
  unvisited: Record<Kind, ReadonlyMap<string, boolean>>;
  /** Recorded clicks among those with a tag and those that share a mail with others of the batch. */
  recorded: ReadonlySet<string>;
  /**
   * True if any active webhook exists. All visits of the batch precede this read, so a webhook
   * created between it and the write need not receive them.
   */
  hasWebhooks: boolean;
  /** False if no visit of the batch can count in a broadcast. */
  hasBroadcasts: boolean;
  /** False if no visit is of a mail to a subscriber. */
  hasSubscribers: boolean;
}

async function readBefore(
  { db }: Deps,
  events: TrackingEvent[],
  clicks: ClickEvent[],
): Promise<Before> {
  const logIdsOf = (kind: Kind) => [
    ...new Set(events.filter((event) => event.kind === kind).map(({ logId }) => logId)),
  ];
  const tagged = clicks.filter(({ tag }) => tag !== undefined); // a repeated click must not add its tag again
  const lookedUp = new Set([...crowdedClicks(clicks), ...tagged]);
  const keys = [...lookedUp].map(({ logId, id }) => ({ logId, id }));
  const [rows] = await runBatch(db, [
    selectUnrecorded(db, logIdsOf("open"), logIdsOf("click"), keys),
  ]);
  const unvisited = { open: new Map<string, boolean>(), click: new Map<string, boolean>() };
  const recorded = new Set<string>();
  let [hasWebhooks, hasBroadcasts, hasSubscribers] = [false, false, false];
  for (const { what, logId, logged, broadcast, subscriber } of rows) {
    hasBroadcasts ||= broadcast === 1;
    hasSubscribers ||= subscriber === 1;
    if (what === "webhook") hasWebhooks = true;
    else if (what === "recorded") recorded.add(logId);
    else if (what !== "clicked") unvisited[what].set(logId, logged === 1);
  }
  return { unvisited, recorded, hasWebhooks, hasBroadcasts, hasSubscribers };
}

/** Returns the clicks that share a mail with others of the batch. */
function crowdedClicks(clicks: ClickEvent[]): ClickEvent[] {
  const ofMails = [...Map.groupBy(clicks, ({ logId }) => logId).values()];
  return ofMails.filter(({ length }) => length > 1).flat();
}

const isClick = (event: TrackingEvent): event is ClickEvent => event.kind === "click";
