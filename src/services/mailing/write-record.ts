import type { Deps } from "../../deps.ts";
import { runBatchAfter, type BatchResults, type Statement } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";

/**
 * The waits before the retries of a failed write, in milliseconds: some seconds for a caller who
 * waits for an answer, about a minute for a worker with many recipients.
 */
const WAITS_MS = {
  seconds: [100, 500, 2_000],
  minute: [100, 500, 2_000, 5_000, 10_000, 15_000, 25_000],
};

/**
 * The largest part of a wait that is added at random, so that workers do not all retry together.
 */
const JITTER = 0.2;

/** The part of a lease that the waits may use up. */
const MOST_OF_LEASE = 1 / 2;

/**
 * Runs the batch that records mails and returns the results of `last`. Retries if D1 fails: the
 * mails are sent, so a fault must not make their outcome unknown. A retry is safe even if the
 * failed write took effect. The log accepts each mail once (`appendLog`), and suppressions are
 * idempotent. Other statements of the batch must set values that do not depend on their own
 * changes. Throws D1's error if it persists for as long as `patience`, or for half a lease.
 */
export async function writeRecord<const Last extends readonly Statement[]>(
  { db, config, wait }: Deps,
  recording: readonly Statement[],
  last: Last,
  patience: keyof typeof WAITS_MS = "minute",
): Promise<BatchResults<Last>> {
  let waitedMs = 0;
  for (const pauseMs of WAITS_MS[patience]) {
    try {
      return await runBatchAfter(db, recording, last);
    } catch (error) {
      const waitMs = Math.round(pauseMs * (1 + JITTER * Math.random()));
      if (error instanceof AppError || waitedMs + waitMs > config.leaseMs * MOST_OF_LEASE)
        throw error;
      logLine("warn", "record_repeated", { waitMs, error: errorText(error) });
      await wait(waitMs);
      waitedMs += waitMs;
    }
  }
  return runBatchAfter(db, recording, last);
}
