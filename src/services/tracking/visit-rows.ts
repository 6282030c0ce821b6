import { sha256Hex } from "../../lib/hash.ts";
import { ulidFloor } from "../../lib/ids.ts";
import type { TrackingEvent } from "../../messages.ts";
import { classifyUserAgent, type VisitorClass } from "./classify-visitor.ts";
import type { ClickEvent } from "./tracking-event.ts";

/** Links of one mail visited closer together than this were not followed by a person. */
const BURST_MS = 2_000;

/** The first open and the first click of one mail, as far as a batch of events knows them. */
export interface FirstVisits {
  logId: string;
  openAt: number | null;
  openClass: VisitorClass | null;
  openUserAgent: string | null;
  openIp: string | null;
  clickAt: number | null;
}

/** A click as it is written, with the ids between which the clicks of a burst around it lie. */
export type ClickRow = Omit<ClickEvent, "kind"> & {
  class: VisitorClass;
  /** SHA-256 of the URL. */
  urlHash: string;
  /** Inclusive. */
  burstFromId: string;
  /** Exclusive. */
  burstUntilId: string;
};

/** The earliest open and click of each mail in a batch of events. */
export function firstVisitsOf(events: TrackingEvent[]): FirstVisits[] {
  const inOrder = events.toSorted((a, b) => a.at - b.at);
  return [...Map.groupBy(inOrder, ({ logId }) => logId)].map(([logId, visits]) => {
    const open = visits.find(({ kind }) => kind === "open");
    const click = visits.find(({ kind }) => kind === "click");
    return {
      logId,
      openAt: open?.at ?? null,
      openClass: open ? classifyUserAgent(open.userAgent) : null,
      openUserAgent: open?.userAgent ?? null,
      openIp: open?.ipAddress ?? null,
      clickAt: click?.at ?? null,
    };
  });
}

/** What is written of a click, but for what only D1 can tell. */
export function clickRowOf({ kind: _kind, ...click }: ClickEvent): ClickRow {
  return {
    ...click,
    class: classifyUserAgent(click.userAgent),
    urlHash: sha256Hex(click.url),
    burstFromId: ulidFloor(click.at - BURST_MS),
    burstUntilId: ulidFloor(click.at + BURST_MS + 1),
  };
}
