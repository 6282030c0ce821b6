import type { Deps } from "../../../../deps.ts";
import { isNotNullViolation } from "../../../../db/constraint-violation.ts";
import { runBatchAfter } from "../../../../db/client.ts";
import { notFound } from "../../../../errors.ts";
import { randomToken } from "../../../../lib/random-token.ts";
import { jsonSize, splitBySize } from "../../../../lib/split-by-size.ts";
import type { KeyClaim } from "../../operations/recall-operation.ts";
import type { BatchRecipient } from "./batch-recipient.ts";
import {
  batchScheduledEvent,
  insertBatch,
  insertBatchChunks,
  type NewBatch,
  type NewChunk,
} from "./batch-queries.ts";
import { packChunks } from "./pack-recipients.ts";
import { recipientId } from "./recipient-ids.ts";

/**
 * The largest number of chunks that one statement inserts. A parameter of D1 has at most 2,000,000
 * bytes.
 */
const INSERT_LIMIT = { items: 100, bytes: 1_800_000 };

/** The columns that are null for a deleted project. */
const GUARDED = ["broadcasts.project_id", "send_operations.project_id"];

/**
 * Stores a batch with its recipients in one atomic write, for the sender of its project. Returns
 * false if the condition is false. Throws not_found when the project was deleted in the meantime.
 */
export async function storeBatch(
  deps: Deps,
  batch: NewBatch,
  recipients: BatchRecipient[],
  { before, when }: KeyClaim,
): Promise<boolean> {
  const { db } = deps;
  const now = deps.now();
  const chunks = chunksOf(recipients, batch.scheduledAt ?? now);
  const inserts = Array.from(splitBySize(chunks, INSERT_LIMIT, jsonSize), (some) =>
    insertBatchChunks(db, batch.id, some),
  );
  const lastId = recipientId(recipients.length - 1);
  const key = { logKey: randomToken(), lastId, now };
  const insert = insertBatch(db, batch, key, when);
  const announced =
    batch.scheduledAt === undefined ? [] : [batchScheduledEvent(deps, batch, recipients.length)];
  try {
    const [stored] = await runBatchAfter(db, before, [insert, ...inserts, ...announced]);
    return stored.length > 0;
  } catch (error) {
    if (GUARDED.some((column) => isNotNullViolation(error, column))) throw notFound("project");
    throw error;
  }
}

function chunksOf(recipients: BatchRecipient[], dueAt: number): NewChunk[] {
  let index = 0;
  return Array.from(packChunks(recipients), ({ recipients: packed, count }): NewChunk => {
    const place = { afterId: recipientId(index - 1), untilId: recipientId(index + count - 1) };
    index += count;
    return { ...place, dueAt, recipients: packed };
  });
}
