import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { sql } from "drizzle-orm";
import type { BatchFailure } from "../../db/schema/index.ts";
import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { selectBatch, selectFailures } from "./batch-queries.ts";
import { selectOpenCounts } from "./queries.ts";
import { indexOfRecipient } from "./recipient-ids.ts";

/** A batch with the counts of its recorded mails, and a page of its failures. */
export type BatchProgress = Omit<Awaited<ReturnType<typeof selectBatch>>[number], "lastId"> & {
  recipients: number;
  failures: BatchFailure[];
};

/**
 * Returns a batch with a page of its failures, in the order in which they were recorded. Throws
 * not_found.
 */
export async function getBatch(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  page: { limit: number; offset: number },
): Promise<BatchProgress> {
  const { db } = ctx.deps;
  const [[row], [open], failures] = await runBatch(db, [
    selectBatch(db, project.id, id),
    selectOpenCounts(db, sql`${id}`),
    selectFailures(db, id, page),
  ]);
  if (!row) throw notFound("batch");
  const { lastId, ...rest } = row;
  const batch = { ...rest, recipients: indexOfRecipient(lastId) + 1 };
  if (!open) return { ...batch, failures };
  return {
    ...batch,
    sent: batch.sent + open.sent,
    failed: batch.failed + open.failed,
    bounced: batch.bounced + open.bounced,
    suppressed: batch.suppressed + open.suppressed,
    failures,
  };
}
