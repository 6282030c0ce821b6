import { MINUTE_MS } from "../../lib/durations.ts";
import type { WindowHits } from "./sliding-estimate.ts";

/** The hits of one client in one bucket, as this isolate knows them. */
export interface IpCounter {
  /** The current window, in minutes since 1970 UTC. */
  minute: number;
  /** The hits that this isolate allowed. */
  own: WindowHits;
  /** The hits that other isolates reported. Never an overestimate. */
  others: WindowHits;
  /** The hits of this minute that this isolate has not reported yet. */
  unshared: number;
  /** The earliest time of the next request to KV. */
  nextShareMs: number;
  /** The counter's name in KV, set when the isolate first shares it. */
  id: string | undefined;
}

/** The counters of one isolate, oldest window first. */
export type IpCounters = Map<string, IpCounter>;

/**
 * The maximum number of counters, about 3 MB. Clients with more addresses evict the oldest windows.
 */
export const MAX_IP_COUNTERS = 10_000;

/**
 * Finds or creates a counter and advances it to the minute of `nowMs`. A new counter may evict the
 * oldest one.
 */
export function counterAt(counters: IpCounters, key: string, nowMs: number): IpCounter {
  const minute = Math.floor(nowMs / MINUTE_MS);
  const known = counters.get(key);
  if (known && known.minute >= minute) return known;
  const counter = known ?? newCounter(minute);
  moveTo(counter, minute);
  counters.delete(key);
  const oldest = counters.keys().next();
  if (counters.size >= MAX_IP_COUNTERS && !oldest.done) counters.delete(oldest.value);
  counters.set(key, counter);
  return counter;
}

function newCounter(minute: number): IpCounter {
  const none = { current: 0, before: 0 };
  return {
    minute,
    own: { ...none },
    others: { ...none },
    unshared: 0,
    nextShareMs: 0,
    id: undefined,
  };
}

/**
 * Advances the counter to a later minute. The last minute's hits become `before`. Hits too few to
 * share stay unknown to other isolates.
 */
function moveTo(counter: IpCounter, minute: number): void {
  const passed = minute - counter.minute;
  if (passed <= 0) return;
  for (const hits of [counter.own, counter.others]) {
    hits.before = passed === 1 ? hits.current : 0;
    hits.current = 0;
  }
  counter.minute = minute;
  counter.unshared = 0;
}
