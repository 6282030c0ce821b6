import type { WindowHits } from "./sliding-estimate.ts";

export const MINUTE_MS = 60_000;

/** What this isolate knows of one client and bucket. */
export interface IpCounter {
  /** Minutes since 1970 UTC of the running window. */
  minute: number;
  /** Hits that this counter let pass. */
  own: WindowHits;
  /** Hits that others have told of: never too many. */
  others: WindowHits;
  /** Hits of this minute that the others have not been told of. */
  unshared: number;
  /** Not before this may KV be asked again. */
  nextShareMs: number;
  /** What this counter is called in KV; made when it is first shared. */
  id: string | undefined;
}

/** The counters of one isolate, those of the oldest window first. */
export type IpCounters = Map<string, IpCounter>;

/** About 3 MB; who comes with more addresses than this pushes the oldest windows out. */
export const MAX_IP_COUNTERS = 10_000;

/** Finds or makes a counter and moves it to the minute of `nowMs`; a new one may push the oldest out. */
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

/** The last minute's hits become those before; a tail too short to be told is the others' not to know. */
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
