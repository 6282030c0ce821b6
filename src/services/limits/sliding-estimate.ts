import type { Limit, Verdict } from "../../lib/sliding-window.ts";

/** Hits of the window that runs and of the one before it. */
export interface WindowHits {
  current: number;
  before: number;
}

/**
 * Judges one hit, `elapsedMs` into the running window, by an estimate of the sliding window: the
 * hits of this one, and of the one before so much as is still in sight if they came evenly.
 * Whole numbers only, so that the place it names as free is free.
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
  // The place comes as the hits before fade, or in the next window, as those of this one do.
  const resetMs =
    current < limit
      ? fadeMs(limit - current, before, windowMs) - elapsedMs
      : windowMs - elapsedMs + fadeMs(limit, current, windowMs);
  return { allowed: false, limit, remaining: 0, resetMs };
}

/** How far into a window the hits of the one before have left one of these places free. */
function fadeMs(places: number, before: number, windowMs: number): number {
  return Math.max(0, windowMs - Math.floor(((places - 1) * windowMs) / before));
}
