import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../../db/client.ts";
import { hasToken, whileHeld } from "../../db/lease.ts";
import { waitsForZone } from "./time-zones/zone-chunks.ts";
import { broadcastChunks } from "../../db/schema/index.ts";
import type { BroadcastRow } from "./queries.ts";

export type ChunkRow = typeof broadcastChunks.$inferSelect;

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
 * Selects when the limits allow the next mail of a broadcast: no row unless all its chunks wait, and
 * the limits hold the one that is due first.
 */
export function selectHold(db: Database, broadcastId: string, now: number) {
  return db.all<{ until: number }>(
    sql`select until from (
        select held_until, iif(state = 'claimed' or due_at <= ${now}, 0, max(due_at, held_until)) as until
        from broadcast_chunks where broadcast_id = ${broadcastId} order by until limit 1)
      where until > 0 and held_until > 0`,
  );
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
  const waiting = sql`from broadcast_chunks where broadcast_id = ${broadcastId} and state = 'pending' `;
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

/** Claims a chunk that is due, or that an earlier run left. Returns its row. */
export function claimChunk(db: Database, claim: ChunkClaim, now: number) {
  return db
    .update(broadcastChunks)
    .set({ state: "claimed", leaseToken: claim.leaseToken })
    .where(and(isChunk(claim), sql`(state = 'claimed' or due_at <= ${now})`))
    .returning();
}

/** Selects a chunk that an earlier run of its sender left claimed: at most one row. */
export function selectHeldChunk(db: Database, claim: ChunkClaim) {
  return db.select().from(broadcastChunks).where(isHeld(claim));
}

/**
 * Records the progress of a held chunk. Returns the state of its broadcast; no row if the claim
 * does not hold.
 */
export function recordChunk(
  db: Database,
  claim: ChunkClaim,
  change: SQLiteUpdateSetSource<typeof broadcastChunks>,
) {
  const state = sql<
    BroadcastRow["state"]
  >`(select state from broadcasts where id = ${claim.broadcastId})`;
  return db.update(broadcastChunks).set(change).where(isHeld(claim)).returning({ state });
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

/**
 * Adds the counts of a finished chunk to its broadcast. Must run before the chunk is deleted. `also`
 * are further assignments.
 */
export function addChunkCounts(
  db: Database,
  claim: ChunkClaim,
  { when = sql`true`, also }: { when?: SQL; also?: SQL } = {},
) {
  const from = sql`from broadcast_chunks r where r.broadcast_id = ${claim.broadcastId} and r.after_id = ${claim.afterId} and r.lease_token = ${claim.leaseToken}`;
  return db.run(
    sql`update broadcasts set (sent, failed, bounced, suppressed, unknown) =
        (select broadcasts.sent + r.sent, broadcasts.failed + r.failed, broadcasts.bounced + r.bounced, broadcasts.suppressed + r.suppressed,
          broadcasts.unknown + r.unknown ${from})${also === undefined ? sql`` : sql`, ${also}`}
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

/** Returns the SQL condition that the claim still holds its chunk, and record `n` is not in D1. */
export function chunkAwaits(claim: ChunkClaim, n: number): SQL {
  return whileHeld(broadcastChunks, and(isHeld(claim), sql`recorded < ${n}`));
}
