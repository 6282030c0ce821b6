import { HOUR_MS } from "../../lib/durations.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { ulidFloor } from "../../lib/ids.ts";
import type { TrackingEvent } from "../../queues/messages.ts";
import { classifyUserAgent, type VisitorClass } from "./classify-visitor.ts";
import { burstIdsOf } from "./click-bursts.ts";
import { byLinkAndHour, hourOf } from "./click-cap.ts";
import type { ClickEvent } from "./tracking-event.ts";

/*
 * The parameters of the statements that record events. A batch has few links and few user agents,
 * and each statement parses its parameter anew. So the rows name the facts that visits share only
 * once.
 */

/** Makes the id of a visit's webhook event; null when nobody has a webhook. */
type NewEventId = () => string | null;

/** The first open and the first click of one mail, as far as a batch of events knows them. */
type VisitRow = [
  logId: string,
  openAt: number | null,
  openIp: string | null,
  clickAt: number | null,
  eventId: string | null,
];

/** Mails whose open had one user agent, or that have no open in the batch. */
export type VisitGroup = [userAgent: string | null, class_: VisitorClass | null, mails: VisitRow[]];

/**
 * A click. `isBurst` is 1 for a click in a burst within its batch; `place` is 1 for the first of
 * its link and hour in the batch. The ids of its hour begin at `hourId` and end before
 * `nextHourId`.
 */
type ClickRow = [
  logId: string,
  id: string,
  at: number,
  ipAddress: string,
  isBurst: 0 | 1,
  eventId: string | null,
  place: number,
  hourId: string,
  nextHourId: string,
];

/** Clicks on one link with one user agent; the hash is the SHA-256 of the URL. */
export type ClickGroup = [
  url: string,
  urlHash: string,
  userAgent: string,
  class_: VisitorClass,
  clicks: ClickRow[],
];

/** Returns the earliest open and click of each mail in a batch of events. */
export function visitGroupsOf(events: TrackingEvent[], newEventId: NewEventId): VisitGroup[] {
  const inOrder = events.toSorted((a, b) => a.at - b.at);
  const mails = [...Map.groupBy(inOrder, ({ logId }) => logId)].map(([logId, visits]) => ({
    logId,
    open: visits.find(({ kind }) => kind === "open"),
    click: visits.find(({ kind }) => kind === "click"),
  }));
  return [...Map.groupBy(mails, ({ open }) => open?.userAgent ?? null)].map(
    ([userAgent, ofAgent]) => [
      userAgent,
      userAgent === null ? null : classifyUserAgent(userAgent),
      ofAgent.map(({ logId, open, click }) => [
        logId,
        open?.at ?? null,
        open?.ipAddress ?? null,
        click?.at ?? null,
        newEventId(),
      ]),
    ],
  );
}

/** Returns the rows of clicks, except for the facts that only D1 knows. */
export function clickGroupsOf(clicks: ClickEvent[], newEventId: NewEventId): ClickGroup[] {
  const bursts = burstIdsOf(clicks);
  const ofLinks = [...byLinkAndHour(clicks).values()];
  const places = new Map(ofLinks.flatMap((ofLink) => ofLink.map(({ id }, at) => [id, at + 1])));
  const rowOf = (click: ClickEvent): ClickRow => {
    const { logId, id, at, ipAddress } = click;
    const hour = hourOf(click);
    const isBurst = bursts.has(id) ? 1 : 0;
    const room = [places.get(id) ?? 1, ulidFloor(hour), ulidFloor(hour + HOUR_MS)] as const;
    return [logId, id, at, ipAddress, isBurst, newEventId(), ...room];
  };
  return [...Map.groupBy(clicks, ({ url }) => url)].flatMap(([url, ofLink]) => {
    const urlHash = sha256Hex(url);
    return [...Map.groupBy(ofLink, ({ userAgent }) => userAgent)].map(
      ([userAgent, ofAgent]): ClickGroup => [
        url,
        urlHash,
        userAgent,
        classifyUserAgent(userAgent),
        ofAgent.map(rowOf),
      ],
    );
  });
}
