/**
 * The number of concurrent fetches. An invocation may have 6 connections open (Workers
 * documentation, "Limits"), and the queue needs one.
 */
export const FETCHES_AT_ONCE = 5;

/**
 * The concurrent fetches of an invocation, shared by its turns: each turn owns one slot and borrows
 * others.
 */
export interface FetchSlots {
  /** Takes up to `most` slots, or none if none is free. Never waits. */
  take: (most: number) => number;
  give: (count: number) => void;
}

/**
 * Opens slots for turns that start together. A turn that ends releases its own slot to the others.
 */
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
