/** Exponential backoff of a message: first and longest delay, in seconds. */
export interface BackOff {
  first: number;
  longest: number;
}

/**
 * Backoff of tracking events that could not be written. With the retries in wrangler.toml it covers
 * about 22 hours, longer than an outage of D1.
 */
export const TRACKING_BACK_OFF: BackOff = { first: 10, longest: 3_600 };

/** Backoff of wake-ups of an object that is away. */
export const WAKE_BACK_OFF: BackOff = { first: 1, longest: 3_600 };

/**
 * Backoff of outcomes that could not be recorded. The first delays fit into a lease. With the
 * retries in wrangler.toml it covers about 22 hours.
 */
export const OUTCOME_BACK_OFF: BackOff = { first: 5, longest: 3_600 };

/**
 * Backoff of dead letters that could not be stored. With the retries in wrangler.toml it covers the
 * retention period of the queue.
 */
export const DEAD_LETTER_BACK_OFF: BackOff = { first: 60, longest: 3_600 };

/** Returns the delay after a failed attempt (counted from 1), which doubles up to the longest. */
export function delayAfter(attempts: number, { first, longest }: BackOff): number {
  return Math.min(longest, first * 2 ** (attempts - 1));
}
