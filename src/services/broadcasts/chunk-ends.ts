import type { Deps } from "../../deps.ts";
import { sql } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import { awaitCanary, isCanary } from "./canary.ts";
import {
  addChunkCounts,
  chunkHeld,
  deleteHeldChunk,
  updateHeldChunk,
  type ChunkRow,
} from "./chunk-queries.ts";
import type { BroadcastRow } from "./queries.ts";

/** The recipients of a chunk who still wait: those to retry, and those deferred in this attempt. */
export type Waiting = Pick<ChunkRow, "again" | "deferred">;

/**
 * Returns the statements that release a held chunk until it is due again, which is at once unless
 * `change` says otherwise. A cancelled broadcast finishes its chunk instead.
 */
export function releaseChunk(
  { db, now }: Deps,
  { id }: BroadcastRow,
  chunk: ChunkRow,
  change: Partial<Waiting & Pick<ChunkRow, "attempt" | "dueAt" | "heldUntil">>,
): Statement[] {
  const cancelled = sql`exists (select 1 from broadcasts
    where id = ${id} and kind <> 'batch' and state = 'cancelled')`;
  return [
    addChunkCounts(db, chunk, { when: cancelled }),
    deleteHeldChunk(db, chunk, cancelled),
    updateHeldChunk(db, chunk, {
      dueAt: now(),
      heldUntil: 0,
      ...change,
      state: "pending",
      leaseToken: "",
    }),
    ...(isCanary(chunk) ? [awaitCanary({ db, now }, id)] : []),
  ];
}

/**
 * Returns the statement that moves deferred recipients out of a held chunk into a chunk of their
 * own, so that no list grows too long. `n` makes the key of the new chunk unique.
 */
export function splitDeferred(
  db: Database,
  chunk: ChunkRow,
  { n, again, dueAt }: { n: number; again: Waiting["again"]; dueAt: number },
): Statement {
  const { broadcastId, afterId, attempt, variant, page } = chunk;
  return db.run(
    sql`insert into broadcast_chunks (broadcast_id, after_id, until_id, cursor_id, state, attempt, due_at, lease_token, in_flight, again, deferred, variant, page)
      select ${broadcastId}, ${`~${n}/${afterId}`}, '', '', 'pending', ${attempt + 1}, ${dueAt}, '', '[]', ${JSON.stringify(again)}, '[]', ${variant}, ${page}
      where ${chunkHeld(chunk)} on conflict do nothing`,
  );
}
