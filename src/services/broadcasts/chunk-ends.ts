import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import {
  addChunkCounts,
  deleteHeldChunk,
  updateHeldChunk,
  type ChunkRow,
} from "./chunk-queries.ts";
import { finishIfDone } from "./finish-if-done.ts";
import { isInState, type BroadcastRow } from "./queries.ts";

/** The recipients of a chunk who still wait: those to retry, and those deferred in this attempt. */
export type Waiting = Pick<ChunkRow, "again" | "deferred">;

/** Returns the statements that finish a held chunk: its counts move to its broadcast. */
export function finishChunk(deps: Deps, chunk: ChunkRow): Statement[] {
  return [
    addChunkCounts(deps.db, chunk),
    deleteHeldChunk(deps.db, chunk),
    ...finishIfDone(deps, chunk.broadcastId),
  ];
}

/**
 * Returns the statements that release a held chunk as it is, for another worker. A cancelled
 * broadcast finishes its chunk instead.
 */
export function releaseChunk(
  { db, now }: Deps,
  { id, projectId }: BroadcastRow,
  chunk: ChunkRow,
  waiting: Partial<Waiting & Pick<ChunkRow, "attempt">>,
): Statement[] {
  const cancelled = isInState(projectId, id, ["cancelled"]);
  return [
    addChunkCounts(db, chunk, cancelled),
    deleteHeldChunk(db, chunk, cancelled),
    updateHeldChunk(db, chunk, { ...waiting, state: "pending", dueAt: now(), leaseToken: "" }),
  ];
}

/** Returns the statement that puts a held chunk off to its next attempt. */
export function putOffChunk(
  { db, now }: Deps,
  chunk: ChunkRow,
  next: { attempt: number; again: Waiting["again"]; waitMs: number },
): Statement {
  const { attempt, again, waitMs } = next;
  return updateHeldChunk(db, chunk, {
    state: "pending",
    attempt,
    dueAt: now() + waitMs,
    again,
    deferred: [],
    leaseToken: "",
  });
}
