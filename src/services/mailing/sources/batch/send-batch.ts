import type { Ctx } from "../../../../context.ts";
import { errorText, logLine } from "../../../../lib/log-line.ts";
import type { ProjectRow } from "../../../access/index.ts";
import {
  getBatch,
  waitUntilOver,
  type BroadcastRow,
  type ChunkRow,
} from "../../../broadcasts/index.ts";
import type { BatchAnswer } from "../answers.ts";
import { takeChunks } from "../broadcast/send-chunks.ts";
import { openTurn } from "../broadcast/turn.ts";
import { MAX_FAILURES } from "./batch-failures.ts";
import { countFailures, type BatchReport } from "./batch-report.ts";

/** The limits of a request that works on its own batch. The queue does the rest. */
const LIMITS = {
  workMs: Number.POSITIVE_INFINITY,
  chunks: Number.POSITIVE_INFINITY,
  statements: 600,
};

/**
 * The time for which a request waits for a connection that others hold. It is shorter than a lease.
 */
const LINE_WAIT_MS = 10_000;

/**
 * The time in which a request ends its work after its caller has gone. The platform grants 30 s.
 */
const LEAVE_MS = 5_000;

/**
 * Works on a batch that the request has stored and whose first chunk it holds. Returns the outcomes
 * when all recipients have been tried. Meanwhile, the queue does the work that the request cannot
 * do. Stops when `isWanted` returns false.
 */
export async function sendBatch(
  ctx: Ctx,
  project: ProjectRow,
  { batch, chunk }: { batch: BroadcastRow; chunk: ChunkRow },
  isWanted: () => boolean,
): Promise<BatchAnswer> {
  const report: BatchReport = { failures: [] };
  try {
    await workHere(ctx, project, { batch, chunk }, { report, isWanted });
  } catch (error) {
    // The chunk has its guard, so another worker settles what this one left.
    logLine("error", "broadcast_work_failed", { broadcastId: batch.id, error: errorText(error) });
  }
  const { counts, failures } = report;
  const isComplete = counts && failures.length === Math.min(countFailures(counts), MAX_FAILURES);
  if (isComplete) return { ...counts, failures };
  await waitUntilOver(ctx.deps, batch.id, isWanted);
  return readAnswer(ctx, project, batch.id);
}

async function workHere(
  { deps }: Ctx,
  project: ProjectRow,
  { batch, chunk }: { batch: BroadcastRow; chunk: ChunkRow },
  { report, isWanted }: { report: BatchReport; isWanted: () => boolean },
): Promise<void> {
  let goneAt: number | undefined;
  const deadline = () => {
    if (isWanted()) return Number.POSITIVE_INFINITY;
    goneAt ??= deps.now();
    return goneAt + LEAVE_MS;
  };
  const turn = openTurn(deps, batch, undefined, LIMITS);
  await takeChunks(
    deps,
    { ...turn, deadline, lineWaitMs: LINE_WAIT_MS, report },
    { chunk, project },
  );
}

/** Returns the outcomes of a batch so far, with its first failures. */
export async function readAnswer(ctx: Ctx, project: ProjectRow, id: string): Promise<BatchAnswer> {
  const page = { limit: MAX_FAILURES, offset: 0 };
  const { sent, failed, bounced, suppressed, failures } = await getBatch(ctx, project, id, page);
  return { sent, failed, bounced, suppressed, failures };
}
