import type { App } from "../../app.ts";
import { runBatch, type Statement } from "../../db/client.ts";

/**
 * Runs the reads of a route whose body was too large to be looked at before the access check; they
 * cost one more D1 round trip. Only for callers that were let in.
 */
export function runReads(app: App, reads: Statement[]): Promise<unknown[]> {
  return runBatch(app.db, reads);
}
