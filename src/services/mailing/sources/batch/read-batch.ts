import { sql } from "drizzle-orm";
import type { Ctx } from "../../../../context.ts";
import { runBatch } from "../../../../db/client.ts";
import type { BatchFailure } from "../../../../db/schema/index.ts";
import { notFound } from "../../../../errors.ts";
import type { ProjectRow } from "../../../access/index.ts";
import { selectOpenCounts } from "../../../broadcasts/index.ts";
import { selectBatch, selectFailures } from "./batch-queries.ts";
import { sizeOfBatch } from "./recipient-ids.ts";

/** A batch with the counts of its recorded mails, and a page of its failures. */
export type BatchReport = Omit<
  Awaited<ReturnType<typeof selectBatch>>[number],
  "lastId" | "dueAt" | "state"
> & {
  state: "scheduled" | "sending" | "done";
  /** The time for which it was stored; null for one that began at once. */
  scheduledAt: number | null;
  recipients: number;
  failures: BatchFailure[];
};

/** The page of failures in the answer of a batch, whose counts include all of them. */
const FIRST_FAILURES = { limit: 100, offset: 0 };

/**
 * Returns a batch with a page of its failures, in the order in which they were recorded. Throws
 * not_found.
 */
export async function getBatch(
  { deps: { db, now } }: Ctx,
  project: ProjectRow,
  id: string,
  page: { limit: number; offset: number } = FIRST_FAILURES,
): Promise<BatchReport> {
  const [[row], [open], failures] = await runBatch(db, [
    selectBatch(db, project.id, id),
    selectOpenCounts(db, sql`${id}`),
    selectFailures(db, id, page),
  ]);
  if (!row) throw notFound("batch");
  const { lastId, dueAt, state, ...batch } = row;
  const waits = dueAt > now() ? "scheduled" : "sending";
  return {
    ...batch,
    state: state === "done" ? state : waits,
    scheduledAt: dueAt > batch.createdAt ? dueAt : null,
    recipients: sizeOfBatch({ lastId }),
    sent: batch.sent + (open?.sent ?? 0),
    failed: batch.failed + (open?.failed ?? 0),
    bounced: batch.bounced + (open?.bounced ?? 0),
    suppressed: batch.suppressed + (open?.suppressed ?? 0),
    failures: failures.map(({ code, ...failure }) => ({
      ...failure,
      ...(code !== null && { code }),
    })),
  };
}
