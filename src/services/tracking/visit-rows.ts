import { sha256Hex } from "../../lib/hash.ts";
import type { TrackingEvent } from "../../messages.ts";
import { classifyUserAgent, type VisitorClass } from "./classify-visitor.ts";
import { burstIdsOf } from "./click-bursts.ts";
import type { ClickEvent } from "./tracking-event.ts";

/** The first open and the first click of one mail, as far as a batch of events knows them. */
export interface FirstVisits {
  logId: string;
  openAt: number | null;
  openClass: VisitorClass | null;
  openUserAgent: string | null;
  openIp: string | null;
  clickAt: number | null;
}

/** A click as it is written. */
export type ClickRow = Omit<ClickEvent, "kind"> & {
  class: VisitorClass;
  /** SHA-256 of the URL. */
  urlHash: string;
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

/** What is written of clicks, but for what only D1 can tell. */
export function clickRowsOf(clicks: ClickEvent[]): ClickRow[] {
  const bursts = burstIdsOf(clicks);
  const hashes = new Map<string, string>(); // a batch has few links
  const hashOf = (url: string) => {
    const hash = hashes.get(url) ?? sha256Hex(url);
    hashes.set(url, hash);
    return hash;
  };
  return clicks.map(({ kind: _kind, ...click }) => ({
    ...click,
    class: bursts.has(click.id) ? "scanner" : classifyUserAgent(click.userAgent),
    urlHash: hashOf(click.url),
  }));
}
