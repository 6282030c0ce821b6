/** The waits before the second, third and fourth attempt at a mail that a server deferred. */
const BACKOFF_MS = [30_000, 120_000, 600_000] as const;

/** The last pass. It defers no mail. */
export const LAST_PASS = BACKOFF_MS.length;

/** Returns how long a range waits after `pass`, in milliseconds. */
export function backoffAfter(pass: number): number {
  return BACKOFF_MS[Math.min(pass, LAST_PASS - 1)] ?? 0;
}

/** The time after which a worker releases its range. A consumer may run for 15 minutes. */
export const WORK_MS = 10 * 60_000;
