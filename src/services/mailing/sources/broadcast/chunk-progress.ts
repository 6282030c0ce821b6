import type { ChunkRow } from "../../../broadcasts/index.ts";
import type { AddressOutcome } from "../../outcome.ts";
import type { SettledMail } from "../../settle.ts";
import { LAST_ATTEMPT } from "./attempts.ts";

/**
 * The length of a stored reason for a deferral. A hostile server's reason would otherwise fill the
 * row.
 */
const MAX_REASON_CHARACTERS = 255;

/** The reason why a worker stops work on its chunk. */
export type ChunkEnd = "through" | "slowed_down" | "login_refused" | "out_of_time" | "not_sending";

/** How far the work on a chunk is. */
export interface ChunkProgress {
  /** The chunk's row as the last write left it: cursor, counts, waiting recipients, lease. */
  chunk: ChunkRow;
  end: ChunkEnd;
  /** The server's last answer when it slowed down or refused the login. */
  refusal: string;
  /** True if the server accepted any mail. */
  hasAccepted: boolean;
}

/** Returns the progress of a chunk whose work begins. */
export function startProgress(chunk: ChunkRow): ChunkProgress {
  const own = { ...chunk, deferred: [...chunk.deferred] };
  return { chunk: own, end: "through", refusal: "", hasAccepted: false };
}

/** Returns true if everyone in the chunk was tried in this attempt. */
export function isThrough({ chunk }: ChunkProgress): boolean {
  return chunk.again.length === 0 && chunk.cursorId >= chunk.untilId;
}

/**
 * Returns true if the worker may claim more. If the server accepted nothing in the last attempt, it
 * claims the rest only to mark it failed.
 */
export function hasMore(progress: ChunkProgress, isOutOfTime: boolean): boolean {
  if (isThrough(progress)) return false;
  if (progress.end === "through" && isOutOfTime) progress.end = "out_of_time";
  const { end, hasAccepted } = progress;
  return end === "through" || (end === "slowed_down" && isLast(progress) && !hasAccepted);
}

/** Counts settled mails. Defers those to be tried again and returns the others for the log. */
export function sortOut(progress: ChunkProgress, settled: SettledMail[]): SettledMail[] {
  return settled.filter(({ mail, outcome: { main } }) => {
    noteRefusal(progress, main);
    if (isDeferred(progress, main)) {
      const error = (main.error ?? "").slice(0, MAX_REASON_CHARACTERS);
      progress.chunk.deferred.push({ id: mail.subscriberId ?? "", error });
      return false;
    }
    progress.chunk[main.status] += 1;
    progress.hasAccepted ||= main.status === "sent";
    return true;
  });
}

function noteRefusal(progress: ChunkProgress, main: AddressOutcome): void {
  if (!main.isSlowDown || progress.end === "login_refused") return;
  progress.end = main.isLoginRefused ? "login_refused" : "slowed_down";
  progress.refusal = main.error ?? "";
}

function isDeferred(progress: ChunkProgress, main: AddressOutcome): boolean {
  return main.isTransient === true && (!isLast(progress) || main.isLoginRefused === true);
}

function isLast({ chunk }: ChunkProgress): boolean {
  return chunk.attempt >= LAST_ATTEMPT;
}
