import type { SQL } from "drizzle-orm";
import type { Deps } from "../../../../deps.ts";
import { isNotNullViolation } from "../../../../db/constraint-violation.ts";
import { runBatchAfter, type Statement } from "../../../../db/client.ts";
import { newLease, renewedLeaseMs } from "../../../../db/lease.ts";
import { notFound } from "../../../../errors.ts";
import { randomToken } from "../../../../lib/random-token.ts";
import { jsonSize, splitBySize } from "../../../../lib/split-by-size.ts";
import {
  enqueue,
  guardChunk,
  insertBatch,
  insertBatchChunks,
  NO_DRAFT,
  type BroadcastRow,
  type ChunkRow,
  type NewChunk,
  indexOfRecipient,
  recipientId,
} from "../../../broadcasts/index.ts";
import type { BatchAnswer } from "../answers.ts";
import { MESSAGES_IN_HAND_MAX } from "../../../../mail/smtp/index.ts";
import type { BatchRecipient } from "./batch-recipient.ts";
import { packChunks } from "./pack-recipients.ts";
import { OWN_CHUNKS_MS } from "./send-batch-chunk.ts";

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

/** A stored batch. Either the caller holds its first chunk, or the queue does all of the work. */
type StoredBatch =
  | { kind: "held"; id: string; batch: BroadcastRow; chunk: ChunkRow }
  | { kind: "queued"; id: string };

/** A batch that a request has begun, or one that is over. */
export type BegunBatch = StoredBatch | { kind: "answered"; id: string; answer: BatchAnswer };

/**
 * Stores a batch with its recipients in one atomic write. With `isHere`, the caller works on the
 * batch at once and holds its first chunk. Otherwise the queue does the work. Returns undefined if
 * the condition is false. Throws not_found when the project was deleted in the meantime.
 */
export async function storeBatch(
  deps: Deps,
  content: NewBatch,
  recipients: BatchRecipient[],
  isHere: boolean,
  { before, when }: BatchClaim,
): Promise<StoredBatch | undefined> {
  const { db } = deps;
  const batch = rowOf(deps, content, recipientId(recipients.length - 1));
  const chunks = chunksOf(deps, recipients, isHere);
  const inserts = Array.from(splitBySize(chunks, INSERT_LIMIT, jsonSize), (some) =>
    insertBatchChunks(db, batch.id, some),
  );
  const insert = insertBatch(db, batch, when);
  try {
    const [stored] = await runBatchAfter(db, before, [insert, ...inserts]);
    if (stored.length === 0) return undefined;
  } catch (error) {
    if (GUARDED.some((column) => isNotNullViolation(error, column))) throw notFound("project");
    throw error;
  }
  const { id } = batch;
  const chunk = await wakeWorkers(deps, batch, chunks, isHere);
  return chunk ? { kind: "held", id, batch, chunk } : { kind: "queued", id };
}

function chunksOf(deps: Deps, recipients: BatchRecipient[], isHere: boolean): NewChunk[] {
  let index = 0;
  return Array.from(packChunks(recipients), ({ recipients: packed, count }): NewChunk => {
    const place = { afterId: recipientId(index - 1), untilId: recipientId(index + count - 1) };
    const isOwn = isHere && index === 0;
    index += count;
    if (isOwn) {
      const { leaseToken, leaseUntil: dueAt } = newLease(deps, renewedLeaseMs(deps));
      return { ...place, state: "claimed", leaseToken, dueAt, recipients: packed };
    }
    const dueAt = deps.now() + (isHere ? OWN_CHUNKS_MS : 0);
    return { ...place, state: "pending", leaseToken: "", dueAt, recipients: packed };
  });
}

/**
 * Leaves a guard for the chunk that the caller holds, and wakes workers for the others. If work on
 * a chunk of a few mails is lost, the sweep finds it.
 */
async function wakeWorkers(
  deps: Deps,
  { id: broadcastId }: BroadcastRow,
  chunks: NewChunk[],
  isHere: boolean,
): Promise<ChunkRow | undefined> {
  const [first] = chunks;
  const rest = isHere ? chunks.slice(1) : chunks;
  const messages = rest.map(
    ({ afterId }) => ({ type: "broadcast_chunk", broadcastId, afterId }) as const,
  );
  if (messages.length > 0) await enqueue(deps, messages, isHere ? OWN_CHUNKS_MS : 0);
  if (!isHere || !first) return undefined;
  const counts = { sent: 0, failed: 0, bounced: 0, suppressed: 0, unknown: 0 };
  const lists = { inFlight: [], again: [], deferred: [], accepted: [] };
  const chunk = {
    ...first,
    ...lists,
    ...counts,
    broadcastId,
    cursorId: first.afterId,
    attempt: 0,
    variant: null,
  };
  const size = indexOfRecipient(first.untilId) - indexOfRecipient(first.afterId);
  const isSmall = chunks.length === 1 && size <= MESSAGES_IN_HAND_MAX;
  if (!isSmall) guardChunk(deps, chunk, first.dueAt - deps.now());
  return chunk;
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
    retriedBy: null,
    canaryDueAt: 0,
    earlierComplaints: 0,
    ...NO_DRAFT,
  };
}
