import { ulidFloor } from "../../lib/ids.ts";
import type { BurstSpan } from "../email-log/visits/index.ts";
import type { ClickEvent } from "./tracking-event.ts";

/** The gap below which visits of different links of one mail count as automated. */
export const BURST_MS = 2_000;

/** Groups clicks by mail, each group in chronological order. */
const byMail = (clicks: ClickEvent[]) =>
  Map.groupBy(
    clicks.toSorted((a, b) => a.at - b.at),
    ({ logId }) => logId,
  );

/**
 * Returns the ids of clicks within two seconds of a click on another link of their mail, within
 * this batch only.
 */
export function burstIdsOf(clicks: ClickEvent[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const inOrder of byMail(clicks).values())
    for (const direction of [inOrder, inOrder.toReversed()]) addHurried(ids, direction);
  return ids;
}

function addHurried(ids: Set<string>, inOrder: ClickEvent[]): void {
  let otherAt: number | undefined; // the last visit of a link other than the current one
  for (const [index, { id, url, at }] of inOrder.entries()) {
    const last = inOrder[index - 1];
    if (last && last.url !== url) otherAt = last.at;
    if (otherAt !== undefined && Math.abs(at - otherAt) <= BURST_MS) ids.add(id);
  }
}

/**
 * Returns the spans around the clicks of a batch, merging overlapping ones so that no click is read
 * twice.
 */
export function burstSpansOf(clicks: ClickEvent[]): BurstSpan[] {
  return [...byMail(clicks)].flatMap(([logId, inOrder]) => {
    const spans: { from: number; until: number }[] = [];
    for (const { at } of inOrder) {
      const last = spans.at(-1);
      if (last && at - BURST_MS <= last.until) last.until = at + BURST_MS;
      else spans.push({ from: at - BURST_MS, until: at + BURST_MS });
    }
    return spans.map(({ from, until }) => ({
      logId,
      fromId: ulidFloor(from),
      untilId: ulidFloor(until + 1),
    }));
  });
}
