import type { Deps } from "../../../../deps.ts";
import { runBatch } from "../../../../db/client.ts";
import { AppError, notFound } from "../../../../errors.ts";
import { finishChunk, releaseChunk } from "../../../broadcasts/index.ts";
import { openSender, requireSender, type Sender } from "../../../projects/index.ts";
import { deliverAll } from "../../deliver.ts";
import type { ClaimedMail, Ledger } from "../../ledger.ts";
import { failed, final } from "../../outcome.ts";
import type { FinishedMail } from "../../record.ts";
import { chunkLedger } from "../chunks/chunk-ledger.ts";
import type { HeldChunk, Slice } from "../chunks/slice.ts";
import { bodiesOfBatch, mailOfRecipient, ownAddressOf, type BatchBodies } from "./batch-content.ts";
import { isThrough } from "./batch-progress.ts";
import { batchSource, type BatchWork } from "./batch-source.ts";
import { unpackRecipients } from "./pack-recipients.ts";

/** The time for which a batch tries to open a session, because it tries each recipient once. */
const OPEN_PATIENCE_MS = 5_000;

/**
 * Works on one chunk of a batch. A batch tries each recipient once and never pauses. If its
 * settings no longer allow sending, the rest fails.
 */
export async function sendBatchChunk(deps: Deps, slice: Slice, held: HeldChunk): Promise<void> {
  const { broadcast: batch, chunk } = held;
  const recipients = unpackRecipients(chunk.recipients);
  const ready = await makeReady(deps, held);
  const give: BatchWork["give"] = (mail, data) =>
    "refusal" in ready
      ? { mail, next: { decided: failed(mail.to.address, ready.refusal) } }
      : mailOfRecipient(deps, { batch, ...ready, from: ready.sender.from }, mail, data);
  const source = batchSource(deps, { batch, chunk, recipients, give, isOver: slice.isOver });
  const ledger = chunkLedger(deps, source, slice.journal, slice.budget);
  if ("refusal" in ready) await failAll(ledger);
  else {
    const { isOver } = slice;
    const options = { isOver, patienceMs: OPEN_PATIENCE_MS };
    await deliverAll(deps, ready.sender, ledger, slice.openLine(batch), options);
  }
  const { progress } = source;
  const attempt = progress.hasAccepted ? 0 : chunk.attempt + 1;
  await runBatch(
    deps.db,
    isThrough(progress.chunk)
      ? finishChunk(deps, progress.chunk)
      : releaseChunk(deps, batch, progress.chunk, { attempt, again: progress.chunk.again }),
  );
}

type Ready = { sender: Sender; bodies: BatchBodies } | { refusal: string };

/**
 * Opens the settings and the content of a batch, or returns the reason why they do not allow
 * sending.
 */
async function makeReady(deps: Deps, { broadcast, project }: HeldChunk): Promise<Ready> {
  try {
    if (!project) throw notFound("project");
    const sender = await openSender(deps, project);
    requireSender(project, sender.from.address, ownAddressOf(broadcast));
    return { sender, bodies: bodiesOfBatch(broadcast) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refusal: error.message };
  }
}

/** The number of mails that fail in one write when nothing can be sent. */
const FAILED_AT_ONCE = 16;

/** Fails every recipient of a chunk that has no outcome yet. */
async function failAll(ledger: Ledger): Promise<void> {
  let finished: FinishedMail[] = [];
  while (ledger.hasMore())
    finished = (await ledger.advance(finished, [], FAILED_AT_ONCE)).flatMap(decidedAtOnce);
  await ledger.advance(finished, [], 0);
}

const decidedAtOnce = ({ mail, next }: ClaimedMail): FinishedMail[] =>
  "decided" in next ? [{ mail, outcome: final(next.decided) }] : [];
