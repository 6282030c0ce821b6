import type { Deps } from "../../../../deps.ts";
import { isRenewalDue, leaseEnd, renewedLeaseMs } from "../../../../db/lease.ts";
import type { Statement } from "../../../../db/client.ts";
import { refusal } from "../../../../errors.ts";
import {
  chunkHeld,
  finishBatchChunk,
  updateBatchChunk,
  type BroadcastRow,
  type ChunkRow,
  indexOfRecipient,
} from "../../../broadcasts/index.ts";
import { suppressedAmong } from "../../../suppressions/index.ts";
import type { ClaimedMail, Ledger } from "../../ledger.ts";
import { suppressedOutcome } from "../../outcome.ts";
import { runSettle } from "../../run-settle.ts";
import { withoutRecipient, type MailFacts, type SettledMail } from "../../settle.ts";
import { factsOfRecipient } from "./batch-content.ts";
import { failuresOf, MAX_FAILURES } from "./batch-failures.ts";
import {
  isThrough,
  nextGroup,
  startProgress,
  takeBack,
  type BatchProgress,
} from "./batch-progress.ts";
import type { BatchRecipient } from "./batch-recipient.ts";
import type { BatchReport } from "./batch-report.ts";
import { mustLogBatch, noteOf, settleBatch } from "./settle-batch.ts";

/**
 * The number of free places at which a write claims more. A batch makes fewer writes than a
 * broadcast.
 */
const GROUP = 14;

export interface BatchWork {
  batch: BroadcastRow;
  chunk: ChunkRow;
  /** The recipients of the chunk. */
  recipients: BatchRecipient[];
  /** Returns the mail of a recipient from its facts and its data. */
  give: (mail: MailFacts, data: Record<string, unknown>) => ClaimedMail;
  /** Returns the time at which the worker releases the chunk, in milliseconds. */
  deadline: () => number;
  /** The number of D1 statements after which the worker also releases the chunk. */
  statements: number;
  report: BatchReport;
}

/** The ledger of one claimed chunk, with the facts that are needed to end its work. */
export interface BatchLedger extends Ledger {
  progress: BatchProgress;
}

/** The work on a chunk, and its progress. */
interface Running {
  deps: Deps;
  work: BatchWork;
  progress: BatchProgress;
  /** The ids of the recipients that were claimed, by log id. */
  ids: Map<string, string>;
  /** Mails with an outcome that is neither logged nor counted in the chunk's row. */
  noted: SettledMail[];
}

/**
 * Creates a ledger that keeps a chunk's cursor, counts and mails in flight in its row, with one
 * atomic write for each group. The last write also finishes the chunk.
 */
export function batchLedger(deps: Deps, work: BatchWork): BatchLedger {
  const progress = startProgress(work.chunk);
  const running: Running = { deps, work, progress, ids: new Map(), noted: [] };
  return {
    progress,
    groupSize: GROUP,
    hasMore: () => hasMore(running),
    owesLog: () => running.noted.length > 0,
    async advance(finished, inHand, count) {
      const idOf = ({ logId }: MailFacts) => running.ids.get(logId) ?? "";
      running.noted.push(...takeBack(progress, finished, idOf));
      const logs = count === 0 || mustLogBatch(running.noted);
      const settling = logs ? settleNoted(running) : [];
      if (count === 0 && inHand.length === 0 && isThrough(progress.chunk)) {
        await finish(running, settling);
        return [];
      }
      return writeGroup(running, settling, inHand.map(idOf), hasMore(running) ? count : 0);
    },
  };
}

function hasMore({ deps, work, progress }: Running): boolean {
  if (isThrough(progress.chunk)) return false;
  if (deps.now() >= work.deadline() || progress.statements >= work.statements)
    progress.isOutOfTime = true;
  return !progress.isOutOfTime;
}

/** Counts the noted mails, and returns the statements that log them. */
function settleNoted({ deps, work, progress, ids, noted }: Running): Statement[] {
  const settled = noted.splice(0);
  const indexOf = ({ logId }: MailFacts) => indexOfRecipient(ids.get(logId) ?? "");
  for (const { outcome } of settled) progress.chunk[outcome.main.status] += 1;
  const { failures } = work.report;
  failures.push(...failuresOf(settled, indexOf).slice(0, MAX_FAILURES - failures.length));
  return settleBatch(deps, work.batch, { settled, indexOf }, chunkHeld(work.chunk));
}

/** Records outcomes and the mails in hand, and claims up to `count` recipients. */
async function writeGroup(
  { deps, work, progress, ids, noted }: Running,
  settling: Statement[],
  inHand: string[],
  count: number,
): Promise<ClaimedMail[]> {
  const { chunk } = progress;
  const group = nextGroup(chunk, count);
  const claimed = group.ids.map((id) => claim(work, id));
  for (const { id, named } of claimed) ids.set(named.mail.logId, id);
  const { again, cursorId } = group;
  const { sent, failed, bounced, suppressed } = chunk;
  if (isRenewalDue(deps, chunk.dueAt)) chunk.dueAt = leaseEnd(deps, renewedLeaseMs(deps));
  const counts = { sent, failed, bounced, suppressed };
  const inFlight = [...inHand, ...group.ids];
  const accepted = noted.map((mail) => noteOf(mail, ids));
  const change = { ...counts, again, cursorId, inFlight, accepted, dueAt: chunk.dueAt };
  const addresses = claimed.map(({ named }) => named.mail.to.address);
  const suppressedOf = suppressedAmong(deps, work.batch.projectId, addresses);
  progress.statements += settling.length + 1;
  const update = updateBatchChunk(deps.db, work.chunk, change, suppressedOf);
  const [[held]] = await runSettle(deps, settling, [update]);
  if (!held) throw takenOver();
  Object.assign(chunk, { again, cursorId });
  // The SQL of the update made this list of addresses.
  const hits = new Map(JSON.parse(held.suppressed) as [email: string, erased: number][]);
  return claimed.map(({ named }) => {
    const erased = hits.get(named.mail.to.address);
    if (erased !== undefined) {
      const mail = erased ? withoutRecipient(named.mail) : named.mail;
      return { mail, next: { decided: suppressedOutcome(mail.to.address) } };
    }
    if ("refusal" in named) return { mail: named.mail, next: { decided: named.refusal } };
    return work.give(named.mail, named.data);
  });
}

/** Returns the facts of the mail of a recipient of the chunk. */
function claim({ batch, chunk, recipients }: BatchWork, id: string) {
  const recipient = recipients[indexOfRecipient(id) - indexOfRecipient(chunk.afterId) - 1];
  if (!recipient) throw new Error(`a batch has no recipient ${id}`);
  return { id, named: factsOfRecipient(batch, id, recipient) };
}

/**
 * Finishes the chunk. If another worker holds the chunk, it stays as it is, because that worker
 * finishes it.
 */
async function finish({ deps, work, progress }: Running, settling: Statement[]): Promise<void> {
  const statements = finishBatchChunk(deps.db, progress.chunk, deps.now());
  progress.statements += settling.length + statements.length;
  const [[batch]] = await runSettle(deps, settling, statements);
  progress.isFinished = true;
  if (batch?.state === "done") work.report.counts = batch;
}

/**
 * Returns the error that stops a worker presumed dead from sending the rest of its mails in hand.
 */
const takenOver = () => refusal("chunk_taken_over", {});
