import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { broadcastChunks } from "../../db/schema/index.ts";
import { chunkHeld, isHeld, type ChunkClaim, type ChunkRow } from "./chunk-queries.ts";
import type { BroadcastRow, Counts } from "./queries.ts";

/** A chunk of a batch as it is stored. */
export interface NewChunk extends Pick<ChunkRow, "afterId" | "untilId" | "dueAt"> {
  recipients: string;
}

/** Inserts chunks of a batch, if the batch was inserted. */
export function insertBatchChunks(db: Database, batchId: string, chunks: NewChunk[]) {
  const field = (name: keyof NewChunk) => sql`value ->> ${sql.raw(`'${name}'`)}`;
  return db.run(
    sql`insert into broadcast_chunks (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token,
        in_flight, again, deferred, recipients)
      select ${batchId}, ${field("afterId")}, ${field("untilId")}, ${field("afterId")}, 'pending',
        ${field("dueAt")}, '', '[]', '[]', '[]', ${field("recipients")}
      from json_each(${JSON.stringify(chunks)}) where exists (select 1 from broadcasts where id = ${batchId})`,
  );
}

/**
 * Returns the statements that finish a held chunk of a batch. Its counts move to the batch, and its
 * recipients are deleted with it. The last chunk also ends the batch, which then no longer needs
 * its content. The first statement returns the batch as it is afterwards.
 */
export function finishBatchChunk(db: Database, chunk: ChunkClaim & Counts, now: number) {
  const { broadcastId, afterId, sent, failed, bounced, suppressed } = chunk;
  const isLast = sql`not exists (select 1 from broadcast_chunks where broadcast_id = ${broadcastId} and after_id <> ${afterId})`;
  const move = db.all<Pick<BroadcastRow, "state"> & Counts>(
    sql`update broadcasts set sent = sent + ${sent}, failed = failed + ${failed}, bounced = bounced + ${bounced},
        suppressed = suppressed + ${suppressed}, state = iif(${isLast}, 'done', state),
        finished_at = iif(${isLast}, ${now}, finished_at),
        html_body = iif(${isLast}, '', html_body), text_body = iif(${isLast}, '', text_body)
      where id = ${broadcastId} and ${chunkHeld(chunk)}
      returning state, sent, failed, bounced, suppressed`,
  );
  return [move, db.delete(broadcastChunks).where(isHeld(chunk))] as const;
}
