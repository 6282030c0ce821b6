/** Waits before the second, third and fourth attempt of what a server put off. */
const BACKOFF_MS = [30_000, 120_000, 600_000] as const;

/** The pass after which nothing is put off any more. */
export const LAST_PASS = BACKOFF_MS.length;

/** How long a range waits before it goes on after `pass`. */
export function backoffAfter(pass: number): number {
  return BACKOFF_MS[Math.min(pass, LAST_PASS - 1)] ?? 0;
}

/** A worker gives its range back after this long: a consumer may run for 15 minutes. */
export const WORK_MS = 10 * 60_000;
