import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../../db/client.ts";
import { hasToken, whileHeld } from "../../db/lease.ts";
import { waitsForZone } from "./time-zones/zone-chunks.ts";
import { broadcastChunks, broadcasts } from "../../db/schema/index.ts";

export type ChunkRow = typeof broadcastChunks.$inferSelect;

/**
 * The times in milliseconds for which a due chunk may wait until its message counts as lost: while
 * workers are busy with its broadcast, and while none are.
 */
export interface Grace {
  busyMs: number;
  idleMs: number;
}

/**
 * Selects and touches chunks that are due without a worker: pending chunks whose message was lost,
 * and claimed chunks whose lease ran out. Finds a pending chunk again only after another grace
 * period. `isGuard` is 1 for a chunk that a worker must take itself, to settle what is left in it.
 */
export function takeOverdueChunks(db: Database, now: number, grace: Grace, limit: number) {
  const overdue = (state: string, before: SQL) =>
    sql`select broadcast_id, after_id from broadcast_chunks r
      where state = ${state} and due_at <= ${before}
        and (select state from broadcasts where id = r.broadcast_id) in ('sending', 'cancelled')
      order by due_at limit ${limit}`;
  const isBusy = sql`exists (select 1 from broadcast_chunks c
      where c.broadcast_id = r.broadcast_id and c.state = 'claimed')`;
  const lost = sql`${now - grace.idleMs} and due_at <= ${now} - iif(${isBusy}, ${grace.busyMs}, 0)`;
  return db.all<{ broadcastId: string; afterId: string; isGuard: number }>(
    sql`update broadcast_chunks set due_at = iif(state = 'pending', ${now}, due_at)
      where (broadcast_id, after_id) in (
        select * from (${overdue("pending", lost)})
        union all select * from (${overdue("claimed", sql`${now}`)}))
      returning broadcast_id as "broadcastId", after_id as "afterId", state = 'claimed'
        or (select state from broadcasts where id = broadcast_id) = 'cancelled' as "isGuard"`,
  );
}

/**
 * Makes the waiting chunks of a broadcast due now if `when` is true, except those that wait for the
 * time of a zone.
 */
export function releaseChunks(db: Database, broadcastId: string, now: number, when?: SQL) {
  return db
    .update(broadcastChunks)
    .set({ dueAt: now })
    .where(
      and(
        eq(broadcastChunks.broadcastId, broadcastId),
        eq(broadcastChunks.state, "pending"),
        sql`not ${waitsForZone(now)}`,
        when,
      ),
    )
    .returning({ afterId: broadcastChunks.afterId });
}

/**
 * Returns the statements that add the counts of a cancelled broadcast's waiting chunks to the
 * broadcast and delete these chunks.
 */
export function deletePendingChunks(
  db: Database,
  projectId: string,
  broadcastId: string,
): Statement[] {
  const waiting = sql`from broadcast_chunks where broadcast_id = ${broadcastId} and state = 'pending' and in_flight = '[]' and accepted = '[]'`;
  const cancelled = sql`exists (select 1 from broadcasts where id = ${broadcastId} and project_id = ${projectId} and state = 'cancelled')`;
  return [
    db.run(
      sql`update broadcasts set (sent, failed, bounced, suppressed, unknown) =
          (select broadcasts.sent + coalesce(sum(sent), 0), broadcasts.failed + coalesce(sum(failed), 0),
            broadcasts.bounced + coalesce(sum(bounced), 0), broadcasts.suppressed + coalesce(sum(suppressed), 0),
            broadcasts.unknown + coalesce(sum(unknown), 0) ${waiting})
        where id = ${broadcastId} and ${cancelled}`,
    ),
    db.run(sql`delete ${waiting} and ${cancelled}`),
  ];
}

/** The key of a chunk and the proof that this worker holds it. */
export interface ChunkClaim {
  broadcastId: string;
  afterId: string;
  leaseToken: string;
}

/**
 * The tolerated difference between the clocks of planner and worker. If a message arrives before
 * its chunk is due, the message is lost.
 */
const CLOCKS_APART_MS = 5_000;

/**
 * Returns the SQL condition that a chunk is due. A waiting chunk is due a little early; a lease
 * ends exactly on time.
 */
export const isDue = (now: number) =>
  sql`due_at <= iif(state = 'pending', ${now + CLOCKS_APART_MS}, ${now})`;

/** Claims a due chunk. Of any number of workers, exactly one gets a row. */
export function claimChunk(db: Database, claim: ChunkClaim, now: number, leaseUntil: number) {
  return db
    .update(broadcastChunks)
    .set({ state: "claimed", leaseToken: claim.leaseToken, dueAt: leaseUntil })
    .where(and(isChunk(claim), isDue(now)))
    .returning();
}

/** Records, for the order of projects, that a worker began a turn, if the claim holds its chunk. */
export function markTurn(db: Database, claim: ChunkClaim, now: number) {
  return db
    .update(broadcasts)
    .set({ turnAt: now })
    .where(and(eq(broadcasts.id, claim.broadcastId), chunkHeld(claim)));
}

/** Selects the end of the lease of a held chunk: at most one row. */
export function selectHold(db: Database, chunk: Pick<ChunkClaim, "broadcastId" | "afterId">) {
  return db
    .select({ dueAt: broadcastChunks.dueAt })
    .from(broadcastChunks)
    .where(and(isChunk(chunk), eq(broadcastChunks.state, "claimed")));
}

/**
 * The number of following chunks among which a worker looks for one to continue with. Other workers
 * hold some of them.
 */
const NEXT_CHUNKS = 10;

/** Claims the next chunk after one that the same worker held, if that chunk is waiting and due. */
export function claimNextChunk(
  db: Database,
  { broadcastId, afterId, leaseToken }: ChunkClaim,
  now: number,
  leaseUntil: number,
) {
  const next = sql`select after_id from (
      select after_id, state, due_at from broadcast_chunks
      where broadcast_id = ${broadcastId} and after_id > ${afterId} order by after_id limit ${NEXT_CHUNKS})
    where state = 'pending' and ${isDue(now)} order by after_id limit 1`;
  return db
    .update(broadcastChunks)
    .set({ state: "claimed", leaseToken, dueAt: leaseUntil })
    .where(
      and(
        eq(broadcastChunks.broadcastId, broadcastId),
        sql`after_id = (${next})`,
        sql`exists (select 1 from broadcasts where id = ${broadcastId} and state = 'sending')`,
      ),
    )
    .returning();
}

/**
 * Selects the chunk of a project that has been due for the longest time: at most one row. It looks
 * at the current broadcasts, not at all that the project has ever sent.
 */
export function selectWaiting(db: Database, projectId: string, now: number) {
  return db.all<{ broadcastId: string; afterId: string }>(
    sql`select broadcast_id as "broadcastId", after_id as "afterId" from broadcast_chunks
      where broadcast_id in (select id from broadcasts where +project_id = ${projectId} and state = 'sending')
        and state = 'pending' and due_at <= ${now}
      order by due_at, broadcast_id, after_id limit 1`,
  );
}

/** All columns but the recipients of a batch, which no write needs again. */
const { recipients: _recipients, ...LIGHT_COLUMNS } = getTableColumns(broadcastChunks);

/** Changes a chunk if the claim still holds it. Returns its row on success, without recipients. */
export function updateHeldChunk(
  db: Database,
  claim: ChunkClaim,
  change: SQLiteUpdateSetSource<typeof broadcastChunks>,
) {
  return db.update(broadcastChunks).set(change).where(isHeld(claim)).returning(LIGHT_COLUMNS);
}

/** Deletes a finished chunk if the claim holds it and `when` is true. */
export function deleteHeldChunk(db: Database, claim: ChunkClaim, when: SQL = sql`true`) {
  return db.delete(broadcastChunks).where(and(isHeld(claim), when));
}

/** Adds the counts of a finished chunk to its broadcast. Must run before the chunk is deleted. */
export function addChunkCounts(db: Database, claim: ChunkClaim, when: SQL = sql`true`) {
  const from = sql`from broadcast_chunks r where r.broadcast_id = ${claim.broadcastId} and r.after_id = ${claim.afterId} and r.lease_token = ${claim.leaseToken}`;
  return db.run(
    sql`update broadcasts set (sent, failed, bounced, suppressed, unknown) =
        (select broadcasts.sent + r.sent, broadcasts.failed + r.failed, broadcasts.bounced + r.bounced, broadcasts.suppressed + r.suppressed,
          broadcasts.unknown + r.unknown ${from})
      where id = ${claim.broadcastId} and exists (select 1 ${from}) and ${when}`,
  );
}

/** Returns the SQL condition that the claim still holds its chunk. */
export function chunkHeld(claim: ChunkClaim): SQL {
  return whileHeld(broadcastChunks, isHeld(claim));
}

function isChunk({ broadcastId, afterId }: Pick<ChunkClaim, "broadcastId" | "afterId">) {
  return and(eq(broadcastChunks.broadcastId, broadcastId), eq(broadcastChunks.afterId, afterId));
}

/** Returns the condition on the chunk's own row that the claim holds it. */
export function isHeld(claim: ChunkClaim) {
  return and(isChunk(claim), hasToken(broadcastChunks.leaseToken, claim.leaseToken));
}
