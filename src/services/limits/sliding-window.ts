/** A limit of `limit` hits in any `windowMs` milliseconds. */
export interface Limit {
  limit: number;
  windowMs: number;
}

export interface Verdict {
  allowed: boolean;
  limit: number;
  /** Hits left in the window after this one. */
  remaining: number;
  /** Until a place becomes free (refused), or until the oldest hit leaves the window (allowed). */
  resetMs: number;
}

/**
 * Judges one hit at `nowMs` against an exact sliding window.
 * `count` and `oldestMs` are of the hits that are already in the window.
 */
export function judgeHit(
  { limit, windowMs }: Limit,
  count: number,
  oldestMs: number | undefined,
  nowMs: number,
): Verdict {
  const allowed = count < limit;
  const resetMs = Math.max(0, (oldestMs ?? nowMs) + windowMs - nowMs);
  return { allowed, limit, remaining: allowed ? limit - count - 1 : 0, resetMs };
}

/** Of several limits of one request the verdict that counts: the refusal that lasts longest, else what leaves least. */
export function strictest(verdicts: [Verdict, ...Verdict[]]): Verdict {
  return verdicts.reduce((least, next) => (isStricter(next, least) ? next : least));
}

function isStricter(a: Verdict, b: Verdict): boolean {
  if (a.allowed !== b.allowed) return b.allowed;
  return a.allowed ? a.remaining < b.remaining : a.resetMs > b.resetMs;
}
