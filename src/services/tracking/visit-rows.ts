import { sha256Hex } from "../../lib/hash.ts";
import type { TrackingEvent } from "../../queues/messages.ts";
import type { ClickGroup, ClickRow, VisitGroup } from "../email-log/visits/index.ts";
import { classifyUserAgent } from "./classify-visitor.ts";
import { burstIdsOf } from "./click-bursts.ts";
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
  const bursts = burstIdsOf(clicks);
  const inOrder = clicks.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const ofMails = [...Map.groupBy(inOrder, ({ logId }) => logId).values()];
  const places = new Map(ofMails.flatMap((ofMail) => ofMail.map(({ id }, at) => [id, at + 1])));
  const rowOf = ({ logId, id, at, ipAddress: ip, tag }: ClickEvent): ClickRow => ({
    logId,
    id,
    at,
    ip,
    isBurst: bursts.has(id),
    eventId: newEventId(),
    place: places.get(id) ?? 1,
    tag: tag ?? null,
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
