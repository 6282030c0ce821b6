import { floorTo, HOUR_MS } from "../../lib/durations.ts";
import { ulidTime } from "../../lib/ids.ts";
import type { ClickEvent } from "./tracking-event.ts";

/** Recorded clicks of one link of one mail in one hour of the clock (UTC). */
export const MAX_OF_LINK = 20;

/**
 * Recorded clicks of one mail in the hour; a mail with that many gets no more, and no write reads
 * more.
 */
export const MAX_OF_MAIL = 500;

/**
 * Returns the hour of a click in milliseconds. The time of its id decides, because queries find
 * clicks by their ids.
 */
export function hourOf({ id }: ClickEvent): number {
  return floorTo(ulidTime(id), HOUR_MS);
}

/** Groups clicks by link, mail and hour, each group in the order of its ids. */
export const byLinkAndHour = (clicks: ClickEvent[]) =>
  Map.groupBy(
    clicks.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    (click) => `${click.logId} ${hourOf(click)} ${click.url}`,
  );

/**
 * Keeps the first clicks of each link and hour of a batch for which there could be room, so a
 * hammered link costs no more than 20. D1 decides which of them it records.
 */
export function withinCap(clicks: ClickEvent[]): ClickEvent[] {
  return [...byLinkAndHour(clicks).values()].flatMap((ofLink) => ofLink.slice(0, MAX_OF_LINK));
}

/** Returns the clicks that share link and hour with others of the batch. */
export function crowdedClicks(clicks: ClickEvent[]): ClickEvent[] {
  return [...byLinkAndHour(clicks).values()].filter(({ length }) => length > 1).flat();
}
