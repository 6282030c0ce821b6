/** The waits before the second, third and fourth attempt at a mail that the server deferred. */
const BACKOFF_MS = [30_000, 120_000, 600_000] as const;

/** The last attempt, counted from 0. It defers no mail. */
export const LAST_ATTEMPT = BACKOFF_MS.length;

/** Returns how long a chunk waits after `attempt`, in milliseconds. */
export function backoffAfter(attempt: number): number {
  return BACKOFF_MS[Math.min(attempt, LAST_ATTEMPT - 1)] ?? 0;
}
