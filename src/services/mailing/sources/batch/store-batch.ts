import type { SQL } from "drizzle-orm";
import type { Deps } from "../../../../deps.ts";
import { isNotNullViolation } from "../../../../db/constraint-violation.ts";
import { runBatchAfter, type Statement } from "../../../../db/client.ts";
import { notFound } from "../../../../errors.ts";
import { randomToken } from "../../../../lib/random-token.ts";
import { jsonSize, splitBySize } from "../../../../lib/split-by-size.ts";
import {
  insertBatch,
  insertBatchChunks,
  NO_DRAFT,
  type BroadcastRow,
  type NewChunk,
  recipientId,
} from "../../../broadcasts/index.ts";
import type { BatchAnswer } from "../answers.ts";
import type { BatchRecipient } from "./batch-recipient.ts";
import { packChunks } from "./pack-recipients.ts";

/** The content of a batch. */
export interface NewBatch {
  id: string;
  projectId: string;
  templateId: string | null;
  subject: string;
  htmlBody: string;
  textBody: string;
}

/**
 * The largest number of chunks that one statement inserts. A parameter of D1 has at most 2,000,000
 * bytes.
 */
const INSERT_LIMIT = { items: 100, bytes: 1_800_000 };

/** The columns that are null for a deleted project. */
const GUARDED = ["broadcasts.project_id", "send_operations.project_id"];

/** The statements before the batch in the same write, and its condition, which may depend on them. */
interface BatchClaim {
  before: Statement[];
  when: SQL;
}

/** A batch that a request has stored, or one that is over. */
export type BegunBatch =
  | { kind: "stored"; id: string }
  | { kind: "answered"; id: string; answer: BatchAnswer };

/**
 * Stores a batch with its recipients in one atomic write, for the sender of its project. Returns
 * false if the condition is false. Throws not_found when the project was deleted in the meantime.
 */
export async function storeBatch(
  deps: Deps,
  content: NewBatch,
  recipients: BatchRecipient[],
  { before, when }: BatchClaim,
): Promise<boolean> {
  const { db } = deps;
  const batch = rowOf(deps, content, recipientId(recipients.length - 1));
  const chunks = chunksOf(deps, recipients);
  const inserts = Array.from(splitBySize(chunks, INSERT_LIMIT, jsonSize), (some) =>
    insertBatchChunks(db, batch.id, some),
  );
  const insert = insertBatch(db, batch, when);
  try {
    const [stored] = await runBatchAfter(db, before, [insert, ...inserts]);
    return stored.length > 0;
  } catch (error) {
    if (GUARDED.some((column) => isNotNullViolation(error, column))) throw notFound("project");
    throw error;
  }
}

function chunksOf(deps: Deps, recipients: BatchRecipient[]): NewChunk[] {
  const dueAt = deps.now();
  let index = 0;
  return Array.from(packChunks(recipients), ({ recipients: packed, count }): NewChunk => {
    const place = { afterId: recipientId(index - 1), untilId: recipientId(index + count - 1) };
    index += count;
    return { ...place, dueAt, recipients: packed };
  });
}

function rowOf(deps: Deps, content: NewBatch, lastId: string): BroadcastRow {
  const createdAt = deps.now();
  return {
    ...content,
    sent: 0,
    failed: 0,
    bounced: 0,
    suppressed: 0,
    kind: "batch",
    status: "active",
    source: null,
    state: "sending",
    logKey: randomToken(),
    cutoffId: lastId,
    plannedId: lastId,
    planDueAt: createdAt,
    reasons: null,
    createdAt,
    finishedAt: null,
    complaints: 0,
    turnAt: 0,
    total: null,
    unknown: 0,
    canaryDueAt: 0,
    earlierComplaints: 0,
    ...NO_DRAFT,
  };
}
