/** Waits in seconds between the attempts at one message: the first, and the longest. */
export interface BackOff {
  first: number;
  longest: number;
}

/**
 * Waits of visits that could not be written. With the retries of wrangler.toml they last about 22
 * hours, longer than an outage of D1.
 */
export const TRACKING_BACK_OFF: BackOff = { first: 10, longest: 3_600 };

/**
 * Waits of settles that could not be written. The first ones fit into a lease. With the retries of
 * wrangler.toml they last about 22 hours.
 */
export const SETTLE_BACK_OFF: BackOff = { first: 5, longest: 3_600 };

/**
 * Waits of dead letters that could not be stored. With the retries of wrangler.toml they last as
 * long as the queue keeps a message.
 */
export const DEAD_LETTER_BACK_OFF: BackOff = { first: 60, longest: 3_600 };

/** Returns the wait after a failed attempt, counted from 1; each wait doubles up to the longest. */
export function delayAfter(attempts: number, { first, longest }: BackOff): number {
  return Math.min(longest, first * 2 ** (attempts - 1));
}
