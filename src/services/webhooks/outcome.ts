import type { AttemptResult } from "./attempt-delivery.ts";
import type { EndpointAnswer } from "./read-answer.ts";

/** Delays after the first, second, … failed attempt, in seconds (API reference §15.4). */
export const RETRY_DELAYS_SECONDS = [30, 120, 600, 1_800] as const;

/** The maximum number of attempts per delivery (API reference §4.3). */
export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

/** The new state of a delivery after an attempt, as stored in its row. */
export interface Outcome {
  id: string;
  status: "delivered" | "pending" | "failed";
  code: number | null;
  error: string | null;
  answer: EndpointAnswer | null;
  /** Milliseconds. */
  dueAt: number | null;
  deliveredAt: number | null;
}

/** Returns the next state of a delivery after its nth attempt (API reference §6.4). */
export function outcomeOf(
  id: string,
  attempt: number,
  result: AttemptResult,
  now: number,
): Outcome {
  const { statusCode: code, answer } = result;
  if (result.kind === "delivered")
    return { id, status: "delivered", code, error: null, answer, dueAt: null, deliveredAt: now };
  const failed = { id, code, error: result.error, answer, deliveredAt: null };
  const delay = RETRY_DELAYS_SECONDS[attempt - 1];
  if (delay === undefined) return { ...failed, status: "failed", dueAt: null };
  return { ...failed, status: "pending", dueAt: now + delay * 1_000 };
}
