/** The waits before the second, third and fourth attempt at a mail that a server deferred. */
const BACKOFF_MS = [30_000, 120_000, 600_000] as const;

/** The last attempt, counted from 0. It defers no mail. */
export const LAST_ATTEMPT = BACKOFF_MS.length;

/** Returns how long a chunk waits after `attempt`, in milliseconds. */
export function backoffAfter(attempt: number): number {
  return BACKOFF_MS[Math.min(attempt, LAST_ATTEMPT - 1)] ?? 0;
}

/** The bounds of a worker's turn, after which other projects come first. */
export interface TurnLimits {
  /** The time after which the worker gives back what it did not hand over. */
  workMs: number;
  chunks: number;
  /** Its D1 statements. The platform allows 1,000 queries; it may count those of a batch singly. */
  statements: number;
}

export const TURN_LIMITS: TurnLimits = { workMs: 20_000, chunks: 4, statements: 500 };

/** The statements that a chunk takes, as long as the server accepts nearly all mails. */
export const CHUNK_STATEMENTS = 130;

/** The statements that the claim and the end of a chunk take besides. */
export const END_STATEMENTS = 8;
