import { sha256Hex } from "../../lib/hash.ts";
import type { TrackingEvent } from "../../queues/messages.ts";
import {
  BURST_MS,
  type ClickGroup,
  type ClickRow,
  type VisitGroup,
} from "../email-log/visits/index.ts";
import { classifyUserAgent } from "./classify-visitor.ts";
import type { ClickEvent } from "./tracking-event.ts";

/** Generates the id of a visit's webhook event; null if no webhook exists. */
type NewEventId = () => string | null;

/** Returns the earliest open and click of each mail in a batch of events. */
export function visitGroupsOf(events: TrackingEvent[], newEventId: NewEventId): VisitGroup[] {
  const inOrder = events.toSorted((a, b) => a.at - b.at);
  const mails = [...Map.groupBy(inOrder, ({ logId }) => logId)].map(([logId, visits]) => ({
    logId,
    open: visits.find(({ kind }) => kind === "open"),
    click: visits.find(({ kind }) => kind === "click"),
  }));
  return [...Map.groupBy(mails, ({ open }) => open?.userAgent ?? null)].map(
    ([userAgent, ofAgent]) => ({
      userAgent,
      class: userAgent === null ? null : classifyUserAgent(userAgent),
      mails: ofAgent.map(({ logId, open, click }) => ({
        logId,
        openAt: open?.at ?? null,
        ip: open?.ipAddress ?? null,
        clickAt: click?.at ?? null,
        eventId: newEventId(),
      })),
    }),
  );
}

/** Returns the rows of clicks, except for the values that only D1 knows. */
export function clickGroupsOf(clicks: ClickEvent[], newEventId: NewEventId): ClickGroup[] {
  const bursts = burstsAmong(clicks);
  const rowOf = (click: ClickEvent): ClickRow => ({
    logId: click.logId,
    id: click.id,
    at: click.at,
    ip: click.ipAddress,
    isBurst: bursts.has(click),
    eventId: newEventId(),
    tag: click.tag ?? null,
  });
  return [...Map.groupBy(clicks, ({ url }) => url)].flatMap(([url, ofLink]) => {
    const urlHash = sha256Hex(url);
    const groups = Map.groupBy(ofLink, ({ userAgent }) => userAgent);
    return [...groups].map(([userAgent, ofGroup]) => ({
      url,
      urlHash,
      userAgent,
      class: classifyUserAgent(userAgent),
      clicks: ofGroup.map(rowOf),
    }));
  });
}

/** Returns the clicks within two seconds of a click on another link of their mail. */
function burstsAmong(clicks: ClickEvent[]): ReadonlySet<ClickEvent> {
  const ofMails = [...Map.groupBy(clicks, ({ logId }) => logId).values()];
  const isHurried = (click: ClickEvent, ofMail: ClickEvent[]) =>
    ofMail.some(({ url, at }) => url !== click.url && Math.abs(at - click.at) <= BURST_MS);
  return new Set(ofMails.flatMap((ofMail) => ofMail.filter((click) => isHurried(click, ofMail))));
}
