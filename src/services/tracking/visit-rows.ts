import { sha256Hex } from "../../lib/hash.ts";
import type { TrackingEvent } from "../../queues/messages.ts";
import { BURST_MS, type ClickRow, type VisitRow } from "../email-log/visits/index.ts";
import { classifyUserAgent } from "./classify-visitor.ts";
import type { ClickEvent } from "./tracking-event.ts";

/** Generates the id of a visit's webhook event; null if no webhook exists. */
type NewEventId = () => string | null;

/** Returns the earliest open and click of each mail in a batch of events. */
export function visitRowsOf(events: TrackingEvent[], newEventId: NewEventId): VisitRow[] {
  const inOrder = events.toSorted((a, b) => a.at - b.at);
  return [...Map.groupBy(inOrder, ({ logId }) => logId)].map(([logId, visits]) => {
    const open = visits.find(({ kind }) => kind === "open");
    const click = visits.find(({ kind }) => kind === "click");
    return {
      logId,
      openAt: open?.at ?? null,
      userAgent: open?.userAgent ?? null,
      class: open ? classifyUserAgent(open.userAgent) : null,
      ip: open?.ipAddress ?? null,
      clickAt: click?.at ?? null,
      eventId: newEventId(),
    };
  });
}

/** Returns the rows of clicks, except for the values that only D1 knows. */
export function clickRowsOf(clicks: ClickEvent[], newEventId: NewEventId): ClickRow[] {
  const bursts = burstsAmong(clicks);
  return clicks.map((click) => ({
    logId: click.logId,
    id: click.id,
    at: click.at,
    url: click.url,
    urlHash: sha256Hex(click.url),
    userAgent: click.userAgent,
    class: bursts.has(click) ? "scanner" : classifyUserAgent(click.userAgent),
    ip: click.ipAddress,
    eventId: newEventId(),
    tag: click.tag ?? null,
  }));
}

/** Returns the clicks within two seconds of a click on another link of their mail. */
function burstsAmong(clicks: ClickEvent[]): ReadonlySet<ClickEvent> {
  const ofMails = [...Map.groupBy(clicks, ({ logId }) => logId).values()];
  const isHurried = (click: ClickEvent, ofMail: ClickEvent[]) =>
    ofMail.some(({ url, at }) => url !== click.url && Math.abs(at - click.at) <= BURST_MS);
  return new Set(ofMails.flatMap((ofMail) => ofMail.filter((click) => isHurried(click, ofMail))));
}
