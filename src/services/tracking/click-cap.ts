import { HOUR_MS } from "../../lib/durations.ts";
import { ulidTime } from "../../lib/ids.ts";
import type { ClickEvent } from "./tracking-event.ts";

/** So many clicks of one link of one mail are recorded in one hour of the clock (UTC). */
export const MAX_OF_LINK = 20;

/** A mail with this many recorded clicks in the hour gets no more: no write reads more of them. */
export const MAX_OF_MAIL = 500;

/** The hour of a click, in milliseconds; the time of its id decides, by which clicks are found. */
export function hourOf({ id }: ClickEvent): number {
  const at = ulidTime(id);
  return at - (at % HOUR_MS);
}

/** The clicks of each link and mail in one hour, in the order of their ids. */
export const byLinkAndHour = (clicks: ClickEvent[]) =>
  Map.groupBy(
    clicks.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    (click) => `${click.logId} ${hourOf(click)} ${click.url}`,
  );

/**
 * Keeps of each link and hour the first clicks of a batch for which there could be room; so a
 * hammered link costs no more than 20. D1 decides which of them are recorded.
 */
export function withinCap(clicks: ClickEvent[]): ClickEvent[] {
  return [...byLinkAndHour(clicks).values()].flatMap((ofLink) => ofLink.slice(0, MAX_OF_LINK));
}

/** Those clicks that share link and hour with others of the batch. */
export function crowdedClicks(clicks: ClickEvent[]): ClickEvent[] {
  return [...byLinkAndHour(clicks).values()].filter(({ length }) => length > 1).flat();
}
