import type { ChunkRow } from "../../../broadcasts/index.ts";
import { triedOf } from "../../outcome.ts";
import type { MailFacts, FinishedMail } from "../../record.ts";

/** The progress of the work on a chunk of a batch. */
export interface BatchProgress {
  /** The chunk's row: cursor, counts, given-back recipients. */
  chunk: ChunkRow;
  isOutOfTime: boolean;
  /** True if the server accepted any mail. */
  hasAccepted: boolean;
  /** Why no session opened, if none has in this run: the mails that follow fail with this reason. */
  unreachable: string | undefined;
}

/**
 * The number of runs in a row without an accepted mail. After them, a mail that no session took in
 * time fails.
 */
const IDLE_RUNS_MAX = 3;

/** Returns the progress of a chunk at the start of its work. */
export function startProgress(chunk: ChunkRow): BatchProgress {
  const own = { ...chunk, again: [...chunk.again] };
  return { chunk: own, isOutOfTime: false, hasAccepted: false, unreachable: undefined };
}

/** Returns true if every recipient of the chunk is claimed. */
export function isThrough({ again, cursorId, untilId }: ChunkRow): boolean {
  return again.length === 0 && cursorId === untilId;
}

/**
 * Counts outcomes. Takes back the mails that were not handed over in time, and returns the others.
 * After some runs in which the server accepted nothing, these mails fail instead.
 */
export function sortOut(
  progress: BatchProgress,
  finished: FinishedMail[],
  idOf: (mail: MailFacts) => string,
): FinishedMail[] {
  const { chunk } = progress;
  progress.hasAccepted ||= finished.some(({ outcome: { main } }) => main.status === "sent");
  const mayWait = progress.hasAccepted || chunk.attempt < IDLE_RUNS_MAX;
  return finished.filter(({ mail, outcome: { main, retry } }) => {
    if (retry?.kind === "given_back" && mayWait) {
      chunk.again.push({ id: idOf(mail), error: "" });
      progress.isOutOfTime = true;
      return false;
    }
    if (triedOf(retry)?.kind === "no_session" && !progress.hasAccepted)
      progress.unreachable ??= main.error ?? "";
    chunk[main.status] += 1;
    return true;
  });
}
