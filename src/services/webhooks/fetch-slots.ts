/** An invocation may have 6 connections open (Workers documentation, "Limits"); one is left to the queue. */
export const FETCHES_AT_ONCE = 5;

/** The fetches an invocation may make at a time, shared by its turns: each has one of its own, the rest is lent. */
export interface FetchSlots {
  /** Takes up to `most`; none when none is free. Never waits. */
  take: (most: number) => number;
  give: (count: number) => void;
}

/** Slots for turns that begin together; a turn that ends gives its own one to the others. */
export function openFetchSlots(turns: number): FetchSlots {
  let free = FETCHES_AT_ONCE - turns;
  return {
    take(most) {
      const count = Math.min(most, free);
      free -= count;
      return count;
    },
    give(count) {
      free += count;
    },
  };
}
