import type { Deps } from "../../deps.ts";
import { runBatchAfter, type BatchResults, type Statement } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";

/** The waits before the retries of a failed settle. Their sum is far below any lease. */
const REPEAT_AFTER_MS = [100, 500, 2_000];

/**
 * Runs the batch that settles mails and returns the results of `last`. Retries if D1 fails: the
 * mails are sent, so a brief fault must not make their outcome unknown. A retry is safe even if the
 * failed write took effect. The log accepts a settle once (`appendLog`), and suppressions are
 * idempotent. Other statements of the batch must set values that do not depend on their own
 * changes.
 * Throws D1's error if it persists.
 */
export async function runSettle<const Last extends readonly Statement[]>(
  { db }: Deps,
  settling: readonly Statement[],
  last: Last,
): Promise<BatchResults<Last>> {
  for (const waitMs of REPEAT_AFTER_MS) {
    try {
      return await runBatchAfter(db, settling, last);
    } catch (error) {
      if (error instanceof AppError) throw error;
      logLine("warn", "settle_repeated", { waitMs, error: errorText(error) });
      await new Promise((resume) => setTimeout(resume, waitMs));
    }
  }
  return runBatchAfter(db, settling, last);
}
