import { broadcastReason } from "../../../../messages/broadcast-reasons.ts";
import type { Message } from "../../../../messages/message.ts";
import type { Deferred } from "../../../../db/schema/index.ts";
import type { ChunkRow } from "../../../broadcasts/index.ts";
import { isUnknown } from "../../../email-log/index.ts";
import type { Wait } from "../../../../lib/rates/rate-types.ts";
import {
  EARLIER_REASON_CHARACTERS,
  triedOf,
  type AddressOutcome,
  type Retry,
} from "../../outcome.ts";
import type { FinishedMail } from "../../record.ts";
import { backoffAfter, LAST_ATTEMPT } from "./attempts.ts";
import { askedOf, triesOf, waitingWith, type Tries } from "./earlier-tries.ts";
import { addDue, dueOf } from "../chunks/due-recipients.ts";
import { TURN_MS } from "../chunks/slice.ts";
import { cutText } from "../../../../lib/cut-text.ts";

/**
 * The reason why a worker stops work on its chunk. `login_refused`, `unreachable` (no session
 * opened in the last attempt) and `auto_paused` (alarming outcomes) pause the broadcast.
 */
export type ChunkEnd =
  | "through"
  | "slowed_down"
  | "held_back"
  | "login_refused"
  | "unreachable"
  | "auto_paused"
  | "out_of_time"
  | "not_sending";

/** The progress of the work on a chunk. */
export interface ChunkProgress {
  /** The chunk's row as the last write left it: cursor, counts, waiting recipients, lease. */
  chunk: ChunkRow;
  end: ChunkEnd;
  /**
   * The server's last answer when it slowed down or refused the login, or the reason why it gave
   * none.
   */
  refusal: Message;
  /** True if the server accepted any mail. */
  hasAccepted: boolean;
  /** The wait for the mails that a limit of the server held back, if any. */
  heldMs?: number;
  /** The earlier attempts at recipients who waited. */
  tries: Tries;
  /**
   * The number of times that the server was asked about each recipient who waited, or waits again.
   */
  asked: Map<string, number>;
  /** The mails put off for the first time since the last write. */
  delayed: FinishedMail[];
  /** The time at which the turn began, in milliseconds. */
  startedAt: number;
  /** The number of mails held back since the last mail that was not held back. */
  heldInARow: number;
  /** The D1 statements of the work so far. */
  statements: number;
}

/**
 * The number of mails held back in a row after which the worker leaves the rest of its chunk.
 * Otherwise it would claim all of them for nothing.
 */
const HELD_IN_A_ROW_MAX = 32;

const NO_REFUSAL = broadcastReason("server_error", { reply: "" });

/** Returns the progress of a chunk whose work begins now. */
export function startProgress(chunk: ChunkRow, startedAt: number): ChunkProgress {
  const own = { ...chunk, deferred: [...chunk.deferred] };
  const start = { end: "through", refusal: NO_REFUSAL, hasAccepted: false } as const;
  const earlier = { tries: triesOf(chunk), asked: askedOf(chunk) };
  const none = { delayed: [], heldInARow: 0, statements: 0 };
  return { chunk: own, ...start, ...earlier, ...none, startedAt };
}

/** Returns true if everyone in the chunk who may be tried now was tried in this attempt. */
export function isThrough({ chunk, startedAt }: ChunkProgress): boolean {
  return dueOf(chunk.again, startedAt).length === 0 && chunk.cursorId >= chunk.untilId;
}

/**
 * Returns true if the worker may claim more. If the server has accepted nothing in the last
 * attempt, the worker claims the rest only to mark it as failed.
 */
export function hasMore(progress: ChunkProgress, isOutOfTime: boolean): boolean {
  if (isThrough(progress)) return false;
  if (progress.end === "through" && isOutOfTime) progress.end = "out_of_time";
  const { end, hasAccepted } = progress;
  return end === "through" || (end === "slowed_down" && isLast(progress) && !hasAccepted);
}

/**
 * Counts finished mails. Defers those that are to be tried again, and returns the others for the
 * log. Mails that were given back wait as before. If the server took no mail in the whole turn,
 * however, one that it was asked about counts as tried, unless a pause cut the turn short. `now` is
 * the time of the outcomes in milliseconds.
 */
export function sortOut(
  progress: ChunkProgress,
  recorded: FinishedMail[],
  now: number,
): FinishedMail[] {
  progress.hasAccepted ||= recorded.some(({ outcome: { main } }) => main.status === "sent");
  const wasRefused = !progress.hasAccepted && now - progress.startedAt >= TURN_MS / 2;
  return recorded.flatMap(({ mail, outcome }) => {
    const { main } = outcome;
    const retry = wasRefused ? triedOf(outcome.retry) : outcome.retry;
    const id = mail.subscriberId ?? "";
    const earlier = [...(progress.tries.get(id) ?? []), ...(main.earlier ?? [])];
    if (retry?.kind !== "held_back") progress.heldInARow = 0;
    if (retry?.kind === "given_back") {
      giveBack(progress, id);
      return [];
    }
    if (retry) noteRetry(progress, retry);
    if (retry && mayRetry(progress, id, retry)) {
      // Without this limit, a hostile server's reason would fill the row.
      const error = cutText(main.error ?? "", EARLIER_REASON_CHARACTERS);
      const isTried = retry.kind === "deferred" || retry.kind === "no_session";
      const tries = isTried ? [...earlier, attemptAt(now, error, main)] : earlier;
      if (isTried && !progress.tries.get(id)?.length) progress.delayed.push({ mail, outcome });
      const one = waitingWith(id, error, tries, progress.asked);
      progress.chunk.deferred.push(isAsked(retry) ? askedAgain(progress, one, now) : one);
      return [];
    }
    progress.chunk[main.status] += 1;
    if (isUnknown(main)) progress.chunk.unknown += 1;
    return [
      { mail, outcome: earlier.length > 0 ? { ...outcome, main: { ...main, earlier } } : outcome },
    ];
  });
}

const attemptAt = (at: number, error: string, { viaFallback }: AddressOutcome) =>
  viaFallback ? { at, error, viaFallback } : { at, error };

/** Counts that the server was asked about a recipient who waits for the next attempt. */
function askedAgain({ asked }: ChunkProgress, one: Deferred, now: number): Deferred {
  const times = (one.asked ?? 0) + 1;
  asked.set(one.id, times);
  return { ...one, asked: times, notBefore: now + backoffAfter(times - 1) };
}

/** Without a session, the server was not asked. Mails that were held back or paused had none. */
const isAsked = ({ kind }: Retry) => kind === "deferred";

function giveBack(progress: ChunkProgress, id: string): void {
  const { chunk, tries, asked, startedAt } = progress;
  const one = waitingWith(id, "", tries.get(id) ?? [], asked);
  chunk.again = addDue(chunk.again, one, startedAt);
  if (progress.end === "through") progress.end = "out_of_time";
}

/** Ends the work if mails like this one have no prospect now. */
function noteRetry(progress: ChunkProgress, retry: Retry): void {
  if (retry.kind === "held_back") noteHeldBack(progress, retry.wait);
  const isSlow = retry.kind === "no_session" || (retry.kind === "deferred" && retry.isSlow);
  if (!isSlow || isPausing(progress.end)) return;
  progress.end = slowEnd(progress, retry);
  progress.refusal = retry.said;
}

function noteHeldBack(progress: ChunkProgress, { waitMs, isOfDomain }: Wait): void {
  progress.heldMs = isOfDomain ? Math.min(progress.heldMs ?? waitMs, waitMs) : waitMs;
  progress.heldInARow += 1;
  const isEnough = !isOfDomain || progress.heldInARow >= HELD_IN_A_ROW_MAX;
  if (isEnough && progress.end === "through") progress.end = "held_back";
}

function slowEnd(progress: ChunkProgress, retry: Retry): ChunkEnd {
  if (retry.kind !== "no_session") return "slowed_down";
  if (retry.isLoginRefused) return "login_refused";
  return isLast(progress) && !progress.hasAccepted ? "unreachable" : "slowed_down";
}

const isPausing = (end: ChunkEnd) =>
  end === "login_refused" || end === "unreachable" || end === "auto_paused";

/** Stops the work because of its outcomes. */
export function autoPause(progress: ChunkProgress, reason: Message): void {
  if (isPausing(progress.end)) return;
  progress.end = "auto_paused";
  progress.refusal = reason;
}

/**
 * Returns true for a mail to try again: in the last attempt, only one that the server was never
 * asked about. This means the last attempt of the chunk or of the recipient: under a limit of the
 * server, each recipient has separate attempts.
 */
function mayRetry(progress: ChunkProgress, id: string, retry: Retry): boolean {
  const isLastTry = isLast(progress) || (progress.asked.get(id) ?? 0) >= LAST_ATTEMPT;
  return !isLastTry || !isAsked(retry);
}

function isLast({ chunk }: ChunkProgress): boolean {
  return chunk.attempt >= LAST_ATTEMPT;
}
