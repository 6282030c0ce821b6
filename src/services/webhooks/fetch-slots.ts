/**
 * The number of simultaneous fetches. An invocation may have 6 connections open (Workers
 * documentation, "Limits"), and the queue needs one.
 */
export const FETCHES_AT_ONCE = 5;

/**
 * The fetches that an invocation may make at the same time. Its turns share them: each turn has one
 * slot of its own and borrows others.
 */
export interface FetchSlots {
  /** Takes up to `most` slots, or none when none is free. Never waits. */
  take: (most: number) => number;
  give: (count: number) => void;
}

/** Opens slots for turns that begin together. A turn that ends gives its own slot to the others. */
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
