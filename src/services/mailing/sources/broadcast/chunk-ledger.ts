import type { Deps } from "../../../../deps.ts";
import { isRenewalDue, leaseEnd, renewedLeaseMs } from "../../../../db/lease.ts";
import { refusal } from "../../../../errors.ts";
import {
  chunkHeld,
  claimRecipients,
  noteAccepted,
  parseRecipients,
  selectAhead,
  updateHeldChunk,
  type BroadcastRow,
  type ChunkRow,
  type Recipient,
} from "../../../broadcasts/index.ts";
import type { SenderAddress } from "../../../projects/index.ts";
import { mustLog, type AutoPause, type ClaimedMail, type Ledger } from "../../ledger.ts";
import { failed } from "../../outcome.ts";
import { runSettle } from "../../run-settle.ts";
import { settleStatements, type MailFacts, type SettledMail } from "../../settle.ts";
import {
  addPage,
  nextGroup,
  nextPage,
  openAhead,
  pageWhenLow,
  passGroup,
  type Ahead,
  type Group,
  type Page,
} from "./chunk-ahead.ts";
import { claimRecipient, type BroadcastContent } from "./chunk-mails.ts";
import {
  autoPause,
  hasMore,
  sortOut,
  startProgress,
  type ChunkProgress,
} from "./chunk-progress.ts";

export interface ChunkWork {
  broadcast: BroadcastRow;
  chunk: ChunkRow;
  content: BroadcastContent;
  from: SenderAddress;
  /** Returns the time at which the worker releases the chunk, in milliseconds. */
  deadline: () => number;
  /** Sees the outcomes of all chunks of the worker. */
  autoPause: AutoPause;
  /** The number of D1 statements after which the worker also releases the chunk. */
  statements: number;
}

/** The ledger of one claimed chunk, with the facts that are needed to end its work. */
export interface ChunkLedger extends Ledger {
  progress: ChunkProgress;
}

/** The work on a chunk, and its progress. */
interface Running {
  deps: Deps;
  work: ChunkWork;
  progress: ChunkProgress;
  ahead: Ahead;
  /** Accepted mails that are neither logged nor counted in the chunk's row. */
  noted: SettledMail[];
}

/** One write of the ledger. */
interface Write {
  finished: SettledMail[];
  inHand: string[];
  count: number;
  group?: Group;
}

/**
 * Creates a ledger that keeps a chunk's cursor, counts and mails in flight in its row, with one
 * atomic write for each group. It reads recipients ahead. Only recipients that a write has claimed
 * go to SMTP.
 */
export function chunkLedger(deps: Deps, work: ChunkWork): ChunkLedger {
  const progress = startProgress(work.chunk, deps.now());
  const ahead = openAhead(progress.chunk, progress.startedAt);
  const running: Running = { deps, work, progress, ahead, noted: [] };
  const isOutOfTime = () => deps.now() >= work.deadline() || progress.statements >= work.statements;
  const mayHaveMore = () => hasMore(progress, isOutOfTime());
  return {
    progress,
    autoPause: {
      ...work.autoPause,
      note(outcome) {
        work.autoPause.note(outcome);
        const reason = work.autoPause.stopped();
        if (reason !== undefined) autoPause(progress, reason);
      },
    },
    hasMore: mayHaveMore,
    owesLog: () => running.noted.length > 0,
    async advance(finished, inHand: MailFacts[], count) {
      running.noted.push(...sortOut(progress, finished, deps.now()));
      const held = inHand.map(({ subscriberId }) => subscriberId ?? "");
      const isWanted = () => count > 0 && mayHaveMore();
      while (isWanted()) {
        if (ahead.steps.length === 0) await readAhead(running);
        const group = nextGroup(ahead, progress.chunk, count);
        if (group.recipients.length === 0) passGroup(ahead, progress.chunk, group);
        else {
          const isClaimed = await write(running, { finished, inHand: held, count, group });
          return isClaimed ? group.recipients.map((one) => give(running, one)) : [];
        }
      }
      if (finished.length > 0 || count === 0)
        await write(running, { finished, inHand: held, count });
      return [];
    },
  };
}

async function readAhead({ deps, work, progress, ahead }: Running): Promise<void> {
  const page = nextPage(ahead, progress.chunk);
  if (!page) return;
  progress.statements += 1;
  const [row] = await selectAhead(deps.db, work.broadcast, page, work.chunk.variant);
  addPage(ahead, page, parseRecipients(row?.recipients));
}

/**
 * Records outcomes and the mails in hand, claims a group, and reads ahead if little is left.
 * Returns false if the broadcast is not sending. In that case, it claims nobody.
 */
async function write(running: Running, given: Write): Promise<boolean> {
  const { deps, work, progress, ahead, noted } = running;
  const { finished, inHand, count, group } = given;
  const logs = mustLog(finished, noted, count);
  const settling = logs ? settle(running) : [];
  progress.statements += settling.length + 1;
  const change = changeOf(running, logs);
  if (!group) {
    // Mails that were given back wait in `again` from the write that no longer has them in hand.
    const { again } = progress.chunk;
    const kept = { ...change, inFlight: inHand, ...(logs ? { again } : {}) };
    const update = updateHeldChunk(deps.db, work.chunk, kept);
    const [held] = await runSettle(deps, settling, [update]);
    if (held.length === 0) throw takenOver();
    if (logs) noted.length = 0;
    return false;
  }
  const { chunk } = progress;
  const claimed = group.recipients.map(({ id }) => id);
  const claiming = { claimed, inHand, from: chunk, to: group.to };
  const update = claimRecipients(deps.db, work.chunk, claiming, change);
  const rest = { ...ahead, steps: ahead.steps.slice(group.steps) };
  const page = pageWhenLow(rest, { ...group.to, untilId: chunk.untilId });
  if (page) progress.statements += 1;
  const { state, recipients } = await runClaim(running, settling, update, page);
  if (logs) noted.length = 0;
  if (state === "sending") {
    passGroup(ahead, chunk, group);
    if (page) addPage(ahead, page, recipients);
    return true;
  }
  progress.end = "not_sending";
  return false;
}

/** Runs the write of a claim, which also reads a page if there is one to read. */
async function runClaim(
  { deps, work }: Running,
  settling: ReturnType<typeof settle>,
  update: ReturnType<typeof claimRecipients>,
  page: Page | undefined,
): Promise<{ state: BroadcastRow["state"]; recipients: Recipient[] }> {
  if (!page) {
    const [[row]] = await runSettle(deps, settling, [update]);
    if (!row) throw takenOver();
    return { state: row.state, recipients: [] };
  }
  const select = selectAhead(deps.db, work.broadcast, page, work.chunk.variant);
  const [[row], [read]] = await runSettle(deps, settling, [update, select]);
  if (!row) throw takenOver();
  return { state: row.state, recipients: parseRecipients(read?.recipients) };
}

function settle({ deps, work, noted }: Running) {
  return settleStatements(deps, work.broadcast.projectId, noted, chunkHeld(work.chunk));
}

/**
 * Returns the change of the chunk's row: the counts if the write logs, otherwise the accepted
 * mails. When it is time to renew the lease, the change also includes the new end of the lease.
 */
function changeOf({ deps, progress: { chunk }, noted }: Running, logs: boolean) {
  const { sent, failed: failedCount, bounced, suppressed, unknown, deferred } = chunk;
  const outcomes = logs
    ? { sent, failed: failedCount, bounced, suppressed, unknown, deferred, accepted: [] }
    : { accepted: noted.map(noteOf) };
  if (!isRenewalDue(deps, chunk.dueAt)) return outcomes;
  chunk.dueAt = leaseEnd(deps, renewedLeaseMs(deps));
  return { ...outcomes, dueAt: chunk.dueAt };
}

const noteOf = ({ mail, outcome }: SettledMail) =>
  noteAccepted(mail.subscriberId ?? "", outcome.main.viaFallback);

/**
 * Returns a claimed mail. In the last attempt, the mail fails at once if the server accepts
 * nothing.
 */
function give({ deps, work, progress }: Running, recipient: Recipient): ClaimedMail {
  const claimed = claimRecipient(deps, work.from, work.content, recipient);
  if (progress.end !== "slowed_down" || "decided" in claimed.next) return claimed;
  return { ...claimed, next: { decided: failed(recipient.email, progress.refusal.message) } };
}

/**
 * Returns the error that stops a worker presumed dead from sending the rest of its mails in hand.
 */
const takenOver = () => refusal("chunk_taken_over", {});
