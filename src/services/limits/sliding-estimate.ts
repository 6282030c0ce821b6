import type { Limit, Verdict } from "../../lib/sliding-window.ts";

/** The hits of the current window and of the window before it. */
export interface WindowHits {
  current: number;
  before: number;
}

/**
 * Judges one hit, `elapsedMs` into the current window, by an estimate of the sliding window. The
 * estimate is the hits of the current window plus a share of the hits of the window before. The
 * share is the part of that window still in sight, as if its hits came evenly. All numbers are
 * whole, so a hit at the reported reset time is allowed.
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
  // A place becomes free as the hits before fade, or as the current hits fade in the next window.
  const resetMs =
    current < limit
      ? fadeMs(limit - current, before, windowMs) - elapsedMs
      : windowMs - elapsedMs + fadeMs(limit, current, windowMs);
  return { allowed: false, limit, remaining: 0, resetMs };
}

/**
 * Returns the time into a window at which the hits of the window before leave this many places
 * free.
 */
function fadeMs(places: number, before: number, windowMs: number): number {
  return Math.max(0, windowMs - Math.floor(((places - 1) * windowMs) / before));
}
