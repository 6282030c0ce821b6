import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { broadcastEvent } from "./broadcast-event.ts";
import { awaitCanary, isCanary } from "./canary.ts";
import { addChunkCounts, chunkHeld, deleteHeldChunk, type ChunkRow } from "./chunk-queries.ts";

/**
 * Returns the statements that finish a broadcast whose chunks are all planned and done, and notify
 * webhooks. Without an id, they finish all such broadcasts.
 */
export function finishIfDone(deps: Deps, id?: string): Statement[] {
  const ofOne = id === undefined ? sql`` : sql` and id = ${id}`;
  const isDone = sql`${isOver()}${ofOne}`;
  const now = deps.now();
  return [
    eventOfEnd(deps, isDone, now),
    deps.db.run(sql`update broadcasts set ${endIf(sql`true`, now)} where ${isDone}`),
  ];
}

/**
 * Returns the statements that finish a held chunk. Its counts move to its broadcast or batch, which
 * ends with its last chunk.
 */
export function finishChunk(deps: Deps, chunk: ChunkRow): Statement[] {
  const { broadcastId, afterId, recipients } = chunk;
  const isLast = isOver(sql` and r.after_id <> ${afterId}`);
  const isBatch = recipients !== null; // which has no events
  const ends = sql`id = ${broadcastId} and ${isLast} and ${chunkHeld(chunk)}`;
  const now = deps.now();
  return [
    ...(isBatch ? [] : [eventOfEnd(deps, ends, now)]),
    addChunkCounts(deps.db, chunk, { also: endIf(isLast, now) }),
    deleteHeldChunk(deps.db, chunk),
    ...(isCanary(chunk) ? [awaitCanary(deps, broadcastId)] : []),
  ];
}

/** On the row `broadcasts`: everything is planned, and no chunk that meets `which` is left. */
const isOver = (which = sql``): SQL =>
  sql`(state = 'sending' and kind <> 'automation' and planned_id >= cutoff_id and decides_at = 0
    and not exists (select 1 from broadcast_chunks r where r.broadcast_id = broadcasts.id${which}))`;

/** Returns the assignments that end a broadcast. A batch does not keep its content. */
const endIf = (isEnd: SQL, now: number): SQL =>
  sql`state = iif(${isEnd}, 'done', state), finished_at = iif(${isEnd}, ${now}, finished_at),
    html_body = iif(kind = 'batch' and ${isEnd}, '', html_body), text_body = iif(kind = 'batch' and ${isEnd}, '', text_body)`;

const eventOfEnd = (deps: Deps, which: SQL, finishedAt: number): Statement =>
  broadcastEvent(deps, "broadcast.finished", which, { state: "done", finishedAt });
