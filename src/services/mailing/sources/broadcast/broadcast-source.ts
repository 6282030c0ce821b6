import type { Deps } from "../../../../deps.ts";
import type { Statement } from "../../../../db/client.ts";
import {
  chunkAwaits,
  chunkHeld,
  LIST_SIZE,
  readAhead,
  splitDeferred,
  type BroadcastRow,
  type ChunkRow,
  type Recipient,
} from "../../../broadcasts/index.ts";
import type { SenderAddress } from "../../../projects/index.ts";
import type { AutoPause, ClaimedMail } from "../../ledger.ts";
import { failed } from "../../outcome.ts";
import { delayedStatements, recordStatements, type FinishedMail } from "../../record.ts";
import type { ChunkSource } from "../chunks/chunk-ledger.ts";
import { backoffAfter } from "./attempts.ts";
import { claimRecipient, type BroadcastContent } from "./chunk-mails.ts";
import {
  autoPause,
  hasMore,
  sortOut,
  startProgress,
  type ChunkProgress,
} from "./chunk-progress.ts";

export interface BroadcastWork {
  broadcast: BroadcastRow;
  chunk: ChunkRow;
  content: BroadcastContent;
  from: SenderAddress;
  /** Returns true once the sender is to give back what it has not handed over. */
  isOver: () => boolean;
  /** Sees the outcomes of all chunks of the broadcast. */
  autoPause: AutoPause;
}

/** The source of a chunk of a broadcast, with the facts that are needed to end its work. */
export type BroadcastSource = ChunkSource<Recipient> & { progress: ChunkProgress };

/** Returns the recipients of a chunk of a broadcast, whose outcomes may pause the broadcast. */
export function broadcastSource(deps: Deps, work: BroadcastWork): BroadcastSource {
  const { broadcast, content, from } = work;
  const progress = startProgress(work.chunk, deps.now());
  return {
    ...recordsOf(deps, broadcast, progress),
    progress,
    startedAt: progress.startedAt,
    autoPause: {
      ...work.autoPause,
      note(outcome) {
        work.autoPause.note(outcome);
        const reason = work.autoPause.stopped();
        if (reason !== undefined) autoPause(progress, reason);
      },
    },
    mayGoOn: () => hasMore(progress, work.isOver()),
    read: (page) => readAhead(deps.db, broadcast, page, progress.chunk),
    claim(recipient): ClaimedMail {
      const claimed = claimRecipient(deps, from, content, recipient, progress.chunk.page);
      // In the last attempt, the mail fails at once if the server accepts nothing.
      if (progress.end !== "slowed_down" || "decided" in claimed.next) return claimed;
      return { ...claimed, next: { decided: failed(recipient.email, progress.refusal.message) } };
    },
    hears(state) {
      if (state !== "sending") progress.end = "not_sending";
    },
  };
}

/**
 * Returns how a chunk of a broadcast counts and records outcomes. Recipients to try again who fill
 * a list get a chunk of their own.
 */
export function recordsOf(
  deps: Deps,
  { projectId }: Pick<BroadcastRow, "projectId">,
  progress: ChunkProgress,
): Pick<BroadcastSource, "chunk" | "sortOut" | "record"> {
  const { chunk } = progress;
  return {
    chunk,
    sortOut: (finished) => sortOut(progress, finished, deps.now()),
    record(mails: FinishedMail[], n: number): Statement[] {
      const delayed = progress.delayed.splice(0);
      const recording = [
        ...recordStatements(deps, projectId, mails, chunkHeld(chunk)),
        ...delayedStatements(deps, projectId, delayed, chunkAwaits(chunk, n)),
      ];
      if (chunk.deferred.length < LIST_SIZE) return recording;
      const dueAt = deps.now() + backoffAfter(chunk.attempt);
      const again = chunk.deferred.splice(0);
      return [...recording, splitDeferred(deps.db, chunk, { n, again, dueAt })];
    },
  };
}
