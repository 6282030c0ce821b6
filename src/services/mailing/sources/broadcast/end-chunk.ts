import type { Deps } from "../../../../deps.ts";
import { runBatch } from "../../../../db/client.ts";
import type { Deferred } from "../../../../db/schema/index.ts";
import {
  finishChunk,
  pauseByItself,
  releaseChunk,
  type BroadcastRow,
} from "../../../broadcasts/index.ts";
import {
  asNew,
  dueOf,
  inOrder,
  leastAsked,
  waitOfFirst,
  withoutTimes,
} from "../chunks/due-recipients.ts";
import { backoffAfter } from "./attempts.ts";
import { isThrough, type ChunkProgress } from "./chunk-progress.ts";

/** The longest wait for a limit. After it, the limits may have changed. */
const HELD_MAX_MS = 15 * 60_000;

type Release = Parameters<typeof releaseChunk>[3];

/** Ends the work on a chunk: finishes it, puts it off or releases it. */
export async function endChunk(
  deps: Deps,
  broadcast: BroadcastRow,
  progress: ChunkProgress,
): Promise<void> {
  const { chunk, end, refusal } = progress;
  const { again, deferred } = chunk;
  const waiting = [...again, ...deferred];
  const release = (change: Release) =>
    runBatch(deps.db, releaseChunk(deps, broadcast, chunk, change));
  switch (end) {
    case "not_sending":
    case "out_of_time":
      await release({ again, deferred });
      break;
    case "login_refused":
    case "auto_paused":
      await pauseByItself(deps, broadcast, refusal);
      await release({ again: withoutTimes(waiting), deferred: [] });
      break;
    case "unreachable":
      await pauseByItself(deps, broadcast, refusal);
      // Whoever resumes has fixed the cause.
      await release({ attempt: 0, again: asNew(waiting), deferred: [] });
      break;
    case "through":
    case "held_back":
    case "slowed_down":
      if (isThrough(progress) && waiting.length === 0)
        await runBatch(deps.db, finishChunk(deps, chunk));
      else await release({ ...nextAttempt(deps, progress, waiting), deferred: [] });
  }
}

/** Returns when the recipients of a chunk who still wait are tried again. */
function nextAttempt(deps: Deps, progress: ChunkProgress, waiting: Deferred[]): Release {
  const { chunk, hasAccepted, heldMs, startedAt } = progress;
  const isPaced = heldMs !== undefined || dueOf(chunk.again, startedAt).length < chunk.again.length;
  if (isPaced && progress.end !== "slowed_down") return heldBack(deps, progress, inOrder(waiting));
  const waitMs = Math.max(backoffAfter(chunk.attempt), Math.min(heldMs ?? 0, HELD_MAX_MS));
  // If the server accepts some mails and then slows down, recipients who were not tried must not
  // lose an attempt.
  const attempt = isThrough(progress) || !hasAccepted ? chunk.attempt + 1 : chunk.attempt;
  const again = isPaced ? inOrder(waiting) : withoutTimes(waiting);
  return { attempt, again, dueAt: deps.now() + waitMs };
}

/**
 * Puts off a chunk until the limits of the server allow its mails. For recipients who were held
 * back, this is no attempt. Recipients whom the server deferred keep their own times and stand
 * behind the others.
 */
function heldBack(deps: Deps, { chunk, heldMs }: ChunkProgress, again: Deferred[]): Release {
  const now = deps.now();
  const waitMs = Math.min(heldMs ?? waitOfFirst(again, now), HELD_MAX_MS);
  const isAllRead = chunk.cursorId >= chunk.untilId;
  const attempt = Math.max(chunk.attempt, isAllRead ? leastAsked(again) : 0);
  const heldUntil = heldMs === undefined ? 0 : now + heldMs;
  return { attempt, again, dueAt: now + waitMs, heldUntil };
}
