import type { Limit, Verdict } from "../../lib/sliding-window.ts";

/** The hits of the current window and of the previous one. */
export interface WindowHits {
  current: number;
  before: number;
}

/**
 * Judges one hit, `elapsedMs` into the current window, by a sliding window estimate: the hits of
 * the current window plus a fraction of the previous window's hits, proportional to its overlap, as
 * if they were evenly distributed. All numbers are integers, so a hit at the reported reset time is
 * allowed.
 */
export function judgeEstimate(
  { limit, windowMs }: Limit,
  { current, before }: WindowHits,
  elapsedMs: number,
): Verdict {
  const left = limit * windowMs - before * (windowMs - elapsedMs) - current * windowMs;
  if (left >= windowMs) {
    const remaining = Math.floor(left / windowMs) - 1;
    return { allowed: true, limit, remaining, resetMs: windowMs - elapsedMs };
  }
  // Capacity returns as the previous hits expire, or as the current hits expire in the next window.
  const resetMs =
    current < limit
      ? fadeMs(limit - current, before, windowMs) - elapsedMs
      : windowMs - elapsedMs + fadeMs(limit, current, windowMs);
  return { allowed: false, limit, remaining: 0, resetMs };
}

/** Returns the time into a window at which the previous window's hits leave this much capacity. */
function fadeMs(places: number, before: number, windowMs: number): number {
  return Math.max(0, windowMs - Math.floor(((places - 1) * windowMs) / before));
}
