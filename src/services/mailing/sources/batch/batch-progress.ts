import { type ChunkRow, indexOfRecipient, recipientId } from "../../../broadcasts/index.ts";
import type { SettledMail } from "../../settle.ts";

/** The progress of the work on a chunk of a batch. */
export interface BatchProgress {
  /** The chunk's row as the last write left it: cursor, counts, given-back recipients, lease. */
  chunk: ChunkRow;
  isOutOfTime: boolean;
  /** True if the server accepted any mail. */
  hasAccepted: boolean;
  /** True once the chunk is deleted. */
  isFinished: boolean;
  /** The D1 statements of the work so far. */
  statements: number;
}

/**
 * The number of turns in a row without an accepted mail. After them, a mail that no session took in
 * time fails.
 */
const IDLE_TURNS_MAX = 3;

/** Returns the progress of a chunk at the start of its work. */
export function startProgress(chunk: ChunkRow): BatchProgress {
  const own = { ...chunk, again: [...chunk.again] };
  const start = { isOutOfTime: false, hasAccepted: false, isFinished: false };
  return { chunk: own, ...start, statements: 0 };
}

/** Returns true if every recipient of the chunk is claimed. */
export function isThrough({ again, cursorId, untilId }: ChunkRow): boolean {
  return again.length === 0 && cursorId === untilId;
}

/** The next recipients of a chunk, and its position after them. */
export type Group = { ids: string[] } & Pick<ChunkRow, "again" | "cursorId">;

/** Returns the next recipients, up to `count`: those that were given back come first. */
export function nextGroup({ again, cursorId, untilId }: ChunkRow, count: number): Group {
  const retries = again.slice(0, count).map(({ id }) => id);
  const from = indexOfRecipient(cursorId) + 1;
  const to = Math.min(indexOfRecipient(untilId) + 1, from + count - retries.length);
  const fresh = Array.from({ length: to - from }, (_, n) => recipientId(from + n));
  const ids = [...retries, ...fresh];
  return { ids, again: again.slice(retries.length), cursorId: fresh.at(-1) ?? cursorId };
}

/**
 * Takes back the mails that were not handed over, because there was no time or no connection, and
 * returns the others. After some turns in which the server accepted nothing, these mails fail
 * instead.
 */
export function takeBack(
  progress: BatchProgress,
  finished: SettledMail[],
  idOf: (mail: SettledMail["mail"]) => string,
): SettledMail[] {
  const { chunk } = progress;
  progress.hasAccepted ||= finished.some(({ outcome: { main } }) => main.status === "sent");
  const mayWait = progress.hasAccepted || chunk.attempt < IDLE_TURNS_MAX;
  return finished.filter(({ mail, outcome }) => {
    const { isGivenBack, heldBack } = outcome.main;
    const isBack = isGivenBack === true || heldBack?.hasNoLine === true;
    if (!isBack || !mayWait) return true;
    chunk.again.push({ id: idOf(mail), error: "" });
    progress.isOutOfTime = true;
    return false;
  });
}
