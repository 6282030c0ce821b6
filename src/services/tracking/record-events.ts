import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import type { TrackingEvent } from "../../queues/messages.ts";
import { recordClicks, recordFirstVisits, selectVisitedMails } from "../email-log/visits/index.ts";
import type { ClickEvent } from "./tracking-event.ts";
import { clickRowsOf, visitRowsOf } from "./visit-rows.ts";

export interface Recorded {
  /** Log ids that are not (yet) in the log. */
  unlogged: ReadonlySet<string>;
}

/**
 * Records opens and clicks in at most two round trips, regardless of the number of events (API
 * reference, "Open tracking" and "Click tracking"). A read drops events without effect, such as
 * most pixel loads, and one atomic batch writes the others. The batch decides which visits are new,
 * so counters and webhooks receive each once, even if it arrives twice; only a click beyond the
 * recorded ones of its mail is counted again. If a batch has several first visits, the earliest
 * counts. The caller limits the size of the batch: D1 accepts 2 MB per value (documented).
 */
export async function recordEvents(deps: Deps, events: TrackingEvent[]): Promise<Recorded> {
  const logIds = [...new Set(events.map(({ logId }) => logId))];
  // All visits precede this read, so a webhook created after it need not receive them.
  const [found] = await runBatch(deps.db, [selectVisitedMails(deps.db, logIds)]);
  const mails = new Map(found.map((mail) => [mail.logId, mail]));
  const firsts = events.filter(({ kind, logId }) => {
    const mail = mails.get(logId);
    return (kind === "open" ? mail?.isUnopened : mail?.isUnclicked) === 1;
  });
  const clicks = events.filter(isClick).filter(({ logId }) => mails.has(logId));
  const distinct = [...new Map(clicks.map((click) => [click.id, click])).values()];
  const newEventId = found.some(({ hasWebhooks }) => hasWebhooks === 1) ? deps.newId : () => null;
  const presence = {
    hasBroadcasts: found.some(({ isOfBroadcast }) => isOfBroadcast === 1),
    hasSubscribers: found.some(({ isToSubscriber }) => isToSubscriber === 1),
  };
  await runBatch(deps.db, [
    ...recordFirstVisits(deps, visitRowsOf(firsts, newEventId), presence),
    ...recordClicks(deps, clickRowsOf(distinct, newEventId), presence),
  ]);
  return { unlogged: new Set(logIds.filter((logId) => !mails.has(logId))) };
}

const isClick = (event: TrackingEvent): event is ClickEvent => event.kind === "click";
