import type { App } from "../../app.ts";
import { runBatchAfter, type BatchResults, type Statement } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";

/** How long a settle that failed waits for its next try; all in all far less than any lease. */
const REPEAT_AFTER_MS = [100, 500, 2_000];

/**
 * Runs the batch that settles mails and returns the results of `last`. It runs the batch again if D1
 * fails: the mails are out, so a short fault must not make their outcome unknown. A failed write may
 * have landed: the log takes a settle once (`appendLog`), suppressions are idempotent, and the rest
 * of the batch must set values that do not depend on what the batch itself changes.
 * Throws D1's error when it lasts.
 */
export async function runSettle<const Last extends readonly Statement[]>(
  { db }: App,
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
