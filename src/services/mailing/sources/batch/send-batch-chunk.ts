import type { Deps } from "../../../../deps.ts";
import { runBatch } from "../../../../db/client.ts";
import { leaseEnd, renewedLeaseMs } from "../../../../db/lease.ts";
import { AppError, notFound } from "../../../../errors.ts";
import {
  claimNextChunk,
  finishBatchChunk,
  guardChunk,
  releaseChunks,
  updateHeldChunk,
  wakeChunk,
} from "../../../broadcasts/index.ts";
import { openSender, selectProject, type Sender } from "../../../projects/index.ts";
import { deliverAll } from "../../deliver.ts";
import type { ClaimedMail } from "../../ledger.ts";
import { failed } from "../../outcome.ts";
import type { PreparedMail } from "../../prepare.ts";
import { runSettle } from "../../run-settle.ts";
import type { SettledMail } from "../../settle.ts";
import { CHUNK_STATEMENTS, END_STATEMENTS } from "../broadcast/attempts.ts";
import { leaveWithoutConnection, type ClaimedChunk } from "../broadcast/end-chunk.ts";
import type { Turn } from "../broadcast/turn.ts";
import { mailOfRecipient, prepareBatch } from "./batch-content.ts";
import { batchLedger, type BatchLedger, type BatchWork } from "./batch-ledger.ts";
import { isThrough, type BatchProgress } from "./batch-progress.ts";
import { unpackRecipients } from "./pack-recipients.ts";
import { settleAbandonedBatchChunk } from "./settle-batch.ts";

/** The time for which the queue leaves the chunks of a batch to the request that stored them. */
export const OWN_CHUNKS_MS = 60_000;

/** The time for which a batch tries to open a session, because it tries each recipient once. */
const OPEN_PATIENCE_MS = 5_000;

/**
 * Works on one chunk of a batch. Returns the next chunk to continue with, if any. A batch tries
 * each recipient once and never pauses. If its settings no longer allow sending, the rest fails.
 */
export async function sendBatchChunk(
  deps: Deps,
  turn: Turn,
  { chunk, project }: ClaimedChunk,
): Promise<ClaimedChunk | undefined> {
  const { broadcast: batch, deadline, line } = turn;
  turn.chunksLeft -= 1;
  turn.statementsLeft -= END_STATEMENTS;
  const recipients = unpackRecipients(chunk.recipients);
  const settled = await settleAbandonedBatchChunk(deps, batch, chunk, recipients);
  const ready = await makeReady(deps, turn, project);
  const report = (turn.report ??= { failures: [] });
  const bounds = { deadline, statements: turn.statementsLeft };
  const work = { batch, chunk: settled, recipients, report, ...bounds };
  let ledger: BatchLedger;
  if ("refusal" in ready) ledger = await failAll(deps, work, ready.refusal);
  else {
    const wait = await line.openWithin(ready.project, turn.lineWaitMs);
    if (wait) return leaveWithoutConnection(deps, batch, settled, wait);
    const { prepared, sender } = ready;
    const content = { batch, prepared, from: sender.from };
    const give: BatchWork["give"] = (mail, data) => mailOfRecipient(deps, content, mail, data);
    ledger = batchLedger(deps, { ...work, give });
    await deliverAll(deps, sender, ledger, line, deadline, OPEN_PATIENCE_MS);
  }
  const { progress } = ledger;
  turn.statementsLeft -= progress.statements;
  return endBatchChunk(deps, turn, progress);
}

type Ready =
  | { project: NonNullable<ClaimedChunk["project"]>; sender: Sender; prepared: PreparedMail }
  | { refusal: string };

/**
 * Opens the settings and the content of a batch, or returns the reason why they do not allow
 * sending.
 */
async function makeReady(
  deps: Deps,
  { broadcast }: Turn,
  project: ClaimedChunk["project"],
): Promise<Ready> {
  try {
    if (!project) throw notFound("project");
    const sender = await openSender(deps, project);
    return { project, sender, prepared: await prepareBatch(deps, broadcast) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refusal: error.message };
  }
}

/** The number of mails that fail in one write when nothing can be sent. */
const FAILED_AT_ONCE = 16;

/** Fails every recipient of a chunk that has no outcome yet. */
async function failAll(
  deps: Deps,
  work: Omit<BatchWork, "give">,
  refusal: string,
): Promise<BatchLedger> {
  const give: BatchWork["give"] = (mail) => ({
    mail,
    next: { decided: failed(mail.to.address, refusal) },
  });
  const ledger = batchLedger(deps, { ...work, give });
  let finished: SettledMail[] = [];
  while (ledger.hasMore())
    finished = (await ledger.advance(finished, [], FAILED_AT_ONCE)).flatMap(settledAtOnce);
  if (finished.length > 0 || ledger.owesLog?.()) await ledger.advance(finished, [], 0);
  return ledger;
}

const settledAtOnce = ({ mail, next }: ClaimedMail): SettledMail[] =>
  "decided" in next ? [{ mail, outcome: { main: next.decided, copies: [] } }] : [];

/**
 * Ends the work on a chunk. Returns the next chunk if one is waiting and the worker may continue.
 */
async function endBatchChunk(
  deps: Deps,
  turn: Turn,
  progress: BatchProgress,
): Promise<ClaimedChunk | undefined> {
  const { chunk, isFinished } = progress;
  const { report } = turn;
  if (!isFinished && isThrough(chunk)) {
    // The dead worker had claimed every recipient.
    const [[batch]] = await runSettle(deps, [], finishBatchChunk(deps.db, chunk, deps.now()));
    if (report && batch?.state === "done") report.counts = batch;
  } else if (!isFinished) {
    const attempt = progress.hasAccepted ? 0 : chunk.attempt + 1;
    const change = { state: "pending", attempt, dueAt: deps.now(), leaseToken: "" } as const;
    await runBatch(deps.db, [updateHeldChunk(deps.db, chunk, change)]);
  }
  if (report?.counts) return undefined;
  const hasRoom = turn.chunksLeft > 0 && turn.statementsLeft >= CHUNK_STATEMENTS;
  if (hasRoom && !progress.isOutOfTime && deps.now() < turn.deadline())
    return takeNextChunk(deps, turn, progress);
  const waiting = await releaseChunks(deps.db, chunk.broadcastId, deps.now());
  if (waiting.length > 0) await wakeChunk(deps, chunk);
  return undefined;
}

/** Claims the next chunk of the batch, if one is waiting. */
async function takeNextChunk(
  deps: Deps,
  { broadcast }: Turn,
  { chunk }: BatchProgress,
): Promise<ClaimedChunk | undefined> {
  const { db } = deps;
  const now = deps.now();
  const [[next], [project]] = await runBatch(db, [
    claimNextChunk(db, chunk, now + OWN_CHUNKS_MS, leaseEnd(deps, renewedLeaseMs(deps))),
    selectProject(db, broadcast.projectId),
  ]);
  if (!next) return undefined;
  guardChunk(deps, next, next.dueAt - now);
  return { chunk: next, project };
}
