/** The waits before the second, third and fourth attempt at a mail that the server deferred. */
const BACKOFF_MS = [30_000, 120_000, 600_000] as const;

/** The last attempt, counted from 0. It defers no mail. */
export const LAST_ATTEMPT = BACKOFF_MS.length;

/** Returns how long a chunk waits after `attempt`, in milliseconds. */
export function backoffAfter(attempt: number): number {
  return BACKOFF_MS[Math.min(attempt, LAST_ATTEMPT - 1)] ?? 0;
}

/** The limits of a worker's turn, after which other projects have their turn. */
export interface TurnLimits {
  /** The time after which the worker gives back the mails that it has not handed over. */
  workMs: number;
  chunks: number;
  /**
   * The D1 statements of the turn. The platform allows 1,000 queries and may count each statement
   * of a batch.
   */
  statements: number;
}

export const TURN_LIMITS: TurnLimits = { workMs: 20_000, chunks: 4, statements: 500 };

/** The number of statements that a chunk takes as long as the server accepts nearly all mails. */
export const CHUNK_STATEMENTS = 130;

/** The number of additional statements that claim and end a chunk. */
export const END_STATEMENTS = 8;
