import type { Deps } from "../../../../deps.ts";
import { runBatch, runBatchAfter, type Statement } from "../../../../db/client.ts";
import { leaseEnd, renewedLeaseMs } from "../../../../db/lease.ts";
import type { Wait } from "../../../../lib/permits/permit-messages.ts";
import type { ProjectRow } from "../../../access/index.ts";
import {
  claimNextChunk,
  finishChunk,
  guardChunk,
  pauseByItself,
  putOffChunk,
  releaseChunk,
  skipMissedZone,
  wakeChunk,
  type BroadcastRow,
  type ChunkRow,
} from "../../../broadcasts/index.ts";
import { selectProject } from "../../../projects/index.ts";
import { backoffAfter } from "./attempts.ts";
import { isThrough, type ChunkProgress } from "./chunk-progress.ts";
import { asNew, dueOf, inOrder, leastAsked, waitOfFirst, withoutTimes } from "./wait-for-turn.ts";

/** The longest wait for a limit. After it, the limits may have changed. */
const HELD_MAX_MS = 15 * 60_000;

/** A chunk that a worker holds, and the project at the time of the claim. */
export interface ClaimedChunk {
  chunk: ChunkRow;
  project: ProjectRow | undefined;
}

/**
 * Ends the work on a chunk: finishes it, puts it off or releases it. Returns the next chunk to
 * continue with, if one is waiting and the worker may continue.
 */
export async function endChunk(
  deps: Deps,
  broadcast: BroadcastRow,
  progress: ChunkProgress,
  mayGoOn: boolean,
): Promise<ClaimedChunk | undefined> {
  const { chunk, end, refusal } = progress;
  const { again, deferred } = chunk;
  switch (end) {
    case "not_sending":
      return leaveForOthers(deps, broadcast, chunk, { again, deferred });
    case "login_refused":
    case "auto_paused":
      await pauseByItself(deps, broadcast, refusal);
      return leaveForOthers(deps, broadcast, chunk, {
        again: withoutTimes([...again, ...deferred]),
        deferred: [],
      });
    case "unreachable":
      await pauseByItself(deps, broadcast, refusal);
      return leaveForOthers(deps, broadcast, chunk, {
        attempt: 0, // whoever resumes has fixed the cause
        again: asNew([...again, ...deferred]),
        deferred: [],
      });
    case "out_of_time":
      await leaveForOthers(deps, broadcast, chunk, { again, deferred });
      await wakeChunk(deps, chunk);
      return undefined;
    case "through":
      return finishOrPutOff(deps, broadcast, progress, mayGoOn);
    case "held_back":
    case "slowed_down":
      return finishOrPutOff(deps, broadcast, progress, false);
  }
}

/** Finishes a chunk. If a recipient in it still waits, puts it off to its next attempt instead. */
async function finishOrPutOff(
  deps: Deps,
  broadcast: BroadcastRow,
  progress: ChunkProgress,
  mayGoOn: boolean,
): Promise<ClaimedChunk | undefined> {
  const { chunk, hasAccepted, held, startedAt } = progress;
  if (isThrough(progress) && chunk.again.length + chunk.deferred.length === 0)
    return leave(deps, broadcast, chunk, finishChunk(deps, chunk), mayGoOn);
  const isPaced = held !== undefined || dueOf(chunk.again, startedAt).length < chunk.again.length;
  if (isPaced && progress.end !== "slowed_down")
    return holdBack(deps, broadcast, progress, mayGoOn);
  const waitMs = Math.max(backoffAfter(chunk.attempt), Math.min(held?.waitMs ?? 0, HELD_MAX_MS));
  // If the server accepts some mails and then slows down, recipients who were not tried must not
  // lose an attempt.
  const attempt = isThrough(progress) || !hasAccepted ? chunk.attempt + 1 : chunk.attempt;
  const waiting = [...chunk.again, ...chunk.deferred];
  const again = isPaced ? inOrder(waiting) : withoutTimes(waiting);
  const statements = [putOffChunk(deps, chunk, { attempt, again, waitMs })];
  const next = await leave(deps, broadcast, chunk, statements, mayGoOn);
  await wakeChunk(deps, chunk, waitMs);
  return next;
}

/**
 * Puts off a chunk until the limits of the server allow its mails. For recipients who were held
 * back, this is no attempt. Recipients whom the server deferred keep their own times and stand
 * behind the others. One of the workers that wait for the same limit is woken. The sweep finds the
 * other chunks.
 */
async function holdBack(
  deps: Deps,
  broadcast: BroadcastRow,
  { chunk, held }: ChunkProgress,
  mayGoOn: boolean,
): Promise<ClaimedChunk | undefined> {
  const again = inOrder([...chunk.again, ...chunk.deferred]);
  const waitMs = held ? Math.min(held.waitMs, HELD_MAX_MS) : waitOfFirst(again, deps.now());
  const isAllRead = chunk.cursorId >= chunk.untilId;
  const attempt = Math.max(chunk.attempt, isAllRead ? leastAsked(again) : 0);
  const statements = [putOffChunk(deps, chunk, { attempt, again, waitMs })];
  const next = await leave(deps, broadcast, chunk, statements, mayGoOn);
  if (held?.comesBack ?? true) await wakeChunk(deps, chunk, waitMs);
  return next;
}

/**
 * Ends a chunk whose zone missed its time, without sending a mail. Continues as `endChunk` does.
 */
export const endMissedZone = (
  deps: Deps,
  broadcast: BroadcastRow,
  chunk: ChunkRow,
  mayGoOn: boolean,
) => leave(deps, broadcast, chunk, skipMissedZone(deps, broadcast, chunk), mayGoOn);

/**
 * Leaves a chunk that got no connection. Other workers find it as soon as they have a connection.
 */
export async function leaveWithoutConnection(
  deps: Deps,
  broadcast: BroadcastRow,
  chunk: ChunkRow,
  { waitMs, comesBack }: Wait,
): Promise<undefined> {
  await leaveForOthers(deps, broadcast, chunk, {});
  if (comesBack) await wakeChunk(deps, chunk, waitMs);
}

/** Leaves a chunk. If the worker may continue, the same write claims the next waiting chunk. */
async function leave(
  deps: Deps,
  { projectId }: BroadcastRow,
  chunk: ChunkRow,
  statements: Statement[],
  mayGoOn: boolean,
): Promise<ClaimedChunk | undefined> {
  const { db } = deps;
  const now = deps.now();
  if (!mayGoOn) {
    await runBatch(db, statements);
    return undefined;
  }
  const [[next], [project]] = await runBatchAfter(db, statements, [
    claimNextChunk(db, chunk, now, leaseEnd(deps, renewedLeaseMs(deps))),
    selectProject(db, projectId),
  ]);
  if (!next) return undefined;
  guardChunk(deps, next, next.dueAt - now);
  return { chunk: next, project };
}

/** Releases a chunk as it is. */
export async function leaveForOthers(
  deps: Deps,
  broadcast: BroadcastRow,
  chunk: ChunkRow,
  waiting: Partial<Pick<ChunkRow, "again" | "deferred" | "attempt">>,
): Promise<undefined> {
  await runBatch(deps.db, releaseChunk(deps, broadcast, chunk, waiting));
}
