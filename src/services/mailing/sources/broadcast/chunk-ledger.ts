import type { Deps } from "../../../../deps.ts";
import { isRenewalDue, leaseEnd, renewedLeaseMs } from "../../../../db/lease.ts";
import { conflict } from "../../../../errors.ts";
import type { Mailbox } from "../../../../mail/address.ts";
import {
  chunkHeld,
  claimNextGroup,
  updateHeldChunk,
  type BroadcastRow,
  type ChunkRow,
  type NextGroup,
  type Recipient,
} from "../../../broadcasts/index.ts";
import type { ClaimedMail, Ledger } from "../../ledger.ts";
import { failed } from "../../outcome.ts";
import { runSettle } from "../../run-settle.ts";
import { settleStatements, type MailFacts, type SettledMail } from "../../settle.ts";
import { claimRecipient, type BroadcastContent } from "./chunk-mails.ts";
import { hasMore, sortOut, startProgress, type ChunkProgress } from "./chunk-progress.ts";

export interface ChunkWork {
  broadcast: BroadcastRow;
  chunk: ChunkRow;
  content: BroadcastContent;
  from: Mailbox;
  /** The time at which the worker releases the chunk, in milliseconds. */
  deadline: number;
}

/** The ledger of one claimed chunk, with the facts that its end needs. */
export interface ChunkLedger extends Ledger {
  progress: ChunkProgress;
}

/** The work on a chunk, and how far it is. */
interface Running {
  deps: Deps;
  work: ChunkWork;
  progress: ChunkProgress;
}

/**
 * Creates a ledger that keeps a chunk's cursor, counts and mails in flight in its row, with one
 * atomic write a group.
 */
export function chunkLedger(deps: Deps, work: ChunkWork): ChunkLedger {
  const progress = startProgress(work.chunk);
  const running = { deps, work, progress };
  const mayHaveMore = () => hasMore(progress, deps.now() >= work.deadline);
  return {
    progress,
    hasMore: mayHaveMore,
    async advance(settled, inHand: MailFacts[], count) {
      let finished = sortOut(progress, settled);
      const held = inHand.map(({ subscriberId }) => subscriberId ?? "");
      const isWanted = () => count > 0 && mayHaveMore();
      while (isWanted()) {
        const recipients = await claimGroup(running, finished, held, count);
        if (progress.end === "not_sending") return [];
        if (recipients.length > 0) return recipients.map((recipient) => give(running, recipient));
        finished = [];
      }
      if (settled.length > 0 || count === 0) await settleOnly(running, finished, held);
      return [];
    },
  };
}

/** Settles mails and claims the next group, which is empty if nobody in it should get mail. */
async function claimGroup(
  running: Running,
  finished: SettledMail[],
  inHand: string[],
  count: number,
): Promise<Recipient[]> {
  const { deps, work, progress } = running;
  const { chunk } = progress;
  const ids = chunk.again.slice(0, count).map(({ id }) => id);
  const group: NextGroup = ids.length > 0 ? { kind: "ids", ids } : { kind: "after_cursor" };
  const change = changeOf(running);
  const [[row]] = await runSettle(deps, settle(running, finished), [
    claimNextGroup(deps.db, work.broadcast, chunk, work.chunk, group, inHand, count, change),
  ]);
  if (!row) throw takenOver();
  if (row.state !== "sending") progress.end = "not_sending";
  else Object.assign(chunk, { again: row.again, cursorId: row.cursorId });
  return row.recipients.filter(({ id }) => !inHand.includes(id));
}

async function settleOnly(
  running: Running,
  finished: SettledMail[],
  inHand: string[],
): Promise<void> {
  const { deps, work } = running;
  const [held] = await runSettle(deps, settle(running, finished), [
    updateHeldChunk(deps.db, work.chunk, { ...changeOf(running), inFlight: inHand }),
  ]);
  if (held.length === 0) throw takenOver();
}

function settle({ deps, work }: Running, finished: SettledMail[]) {
  return settleStatements(deps, work.broadcast.projectId, finished, chunkHeld(work.chunk));
}

/** Returns the counts to write, and the end of the lease when it is time to renew it. */
function changeOf({ deps, progress: { chunk } }: Running) {
  const { sent, failed: failedCount, bounced, suppressed, deferred } = chunk;
  const counts = { sent, failed: failedCount, bounced, suppressed, deferred };
  if (!isRenewalDue(deps, chunk.dueAt)) return counts;
  chunk.dueAt = leaseEnd(deps, renewedLeaseMs(deps));
  return { ...counts, dueAt: chunk.dueAt };
}

/** Returns a claimed mail. It fails at once if the server accepts nothing in the last attempt. */
function give({ deps, work, progress }: Running, recipient: Recipient): ClaimedMail {
  const claimed = claimRecipient(deps, work.from, work.content, recipient);
  if (progress.end !== "slowed_down" || "decided" in claimed.next) return claimed;
  return { ...claimed, next: { decided: failed(recipient.email, progress.refusal) } };
}

/**
 * Returns the error that keeps a worker presumed dead from sending the rest of its mails in hand.
 */
const takenOver = () => conflict("the chunk was taken over by another worker, or removed");
