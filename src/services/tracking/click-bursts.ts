import { ulidFloor } from "../../lib/ids.ts";
import type { ClickEvent } from "./tracking-event.ts";

/** Links of one mail visited closer together than this were not followed by a person. */
export const BURST_MS = 2_000;

/** The ids between which lie all clicks of one mail that may be in a burst with clicks of a batch. */
export type BurstSpan = [
  logId: string,
  /** Inclusive. */
  fromId: string,
  /** Exclusive. */
  untilId: string,
];

/** The clicks of each mail, in the order of time. */
const byMail = (clicks: ClickEvent[]) =>
  Map.groupBy(
    clicks.toSorted((a, b) => a.at - b.at),
    ({ logId }) => logId,
  );

/** Ids of clicks that come within two seconds of one on another link of their mail, within this batch alone. */
export function burstIdsOf(clicks: ClickEvent[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const inOrder of byMail(clicks).values())
    for (const direction of [inOrder, inOrder.toReversed()]) addHurried(ids, direction);
  return ids;
}

function addHurried(ids: Set<string>, inOrder: ClickEvent[]): void {
  let otherAt: number | undefined; // when another link than the present one was visited last
  for (const [index, { id, url, at }] of inOrder.entries()) {
    const last = inOrder[index - 1];
    if (last && last.url !== url) otherAt = last.at;
    if (otherAt !== undefined && Math.abs(at - otherAt) <= BURST_MS) ids.add(id);
  }
}

/** The spans around the clicks of a batch; those that touch are one, so that nothing is read twice. */
export function burstSpansOf(clicks: ClickEvent[]): BurstSpan[] {
  return [...byMail(clicks)].flatMap(([logId, inOrder]) => {
    const spans: { from: number; until: number }[] = [];
    for (const { at } of inOrder) {
      const last = spans.at(-1);
      if (last && at - BURST_MS <= last.until) last.until = at + BURST_MS;
      else spans.push({ from: at - BURST_MS, until: at + BURST_MS });
    }
    return spans.map(({ from, until }): BurstSpan => [
      logId,
      ulidFloor(from),
      ulidFloor(until + 1),
    ]);
  });
}
