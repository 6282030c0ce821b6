import { and, eq, sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../../db/client.ts";
import { broadcastRanges } from "../../db/schema/index.ts";

export type RangeRow = typeof broadcastRanges.$inferSelect;

/**
 * Selects and touches ranges that are due without a worker: pending ranges whose message was lost
 * `graceMs` ago, and claimed ranges whose lease ran out. Finds a pending range again only after
 * another grace period.
 */
export function takeOverdueRanges(db: Database, now: number, graceMs: number, limit: number) {
  const overdue = (state: string, before: number) =>
    sql`select broadcast_id, after_id from broadcast_ranges r
      where state = ${state} and due_at <= ${before}
        and (select state from broadcasts where id = r.broadcast_id) in ('sending', 'cancelled')
      order by due_at limit ${limit}`;
  return db.all<{ broadcastId: string; afterId: string }>(
    sql`update broadcast_ranges set due_at = iif(state = 'pending', ${now}, due_at)
      where (broadcast_id, after_id) in (
        select * from (${overdue("pending", now - graceMs)})
        union all select * from (${overdue("claimed", now)}))
      returning broadcast_id as "broadcastId", after_id as "afterId"`,
  );
}

/** Makes the waiting ranges of a broadcast due now. */
export function releaseRanges(db: Database, broadcastId: string, now: number) {
  return db
    .update(broadcastRanges)
    .set({ dueAt: now })
    .where(and(eq(broadcastRanges.broadcastId, broadcastId), eq(broadcastRanges.state, "pending")))
    .returning({ afterId: broadcastRanges.afterId });
}

/**
 * Returns the statements that add the counts of a cancelled broadcast's waiting ranges to it and
 * delete these ranges.
 */
export function deletePendingRanges(db: Database, broadcastId: string): Statement[] {
  const waiting = sql`from broadcast_ranges where broadcast_id = ${broadcastId} and state = 'pending' and in_flight = '[]'`;
  const cancelled = sql`exists (select 1 from broadcasts where id = ${broadcastId} and state = 'cancelled')`;
  return [
    db.run(
      sql`update broadcasts set (sent, failed, bounced, suppressed) =
          (select broadcasts.sent + coalesce(sum(sent), 0), broadcasts.failed + coalesce(sum(failed), 0),
            broadcasts.bounced + coalesce(sum(bounced), 0), broadcasts.suppressed + coalesce(sum(suppressed), 0) ${waiting})
        where id = ${broadcastId} and ${cancelled}`,
    ),
    db.run(sql`delete ${waiting} and ${cancelled}`),
  ];
}

/** The key of a range and the proof that this worker holds it. */
export interface RangeClaim {
  broadcastId: string;
  afterId: string;
  leaseToken: string;
}

/**
 * The tolerated difference between the clocks of planner and worker. A message is lost if its range
 * is not due yet.
 */
const CLOCKS_APART_MS = 5_000;

/**
 * Returns the SQL condition that a range is due. A waiting range is due a little early; a lease
 * ends exactly on time.
 */
const isDue = (now: number) =>
  sql`due_at <= iif(state = 'pending', ${now + CLOCKS_APART_MS}, ${now})`;

/** Claims a due range. Returns a row to exactly one of many workers. */
export function claimRange(db: Database, claim: RangeClaim, now: number, leaseUntil: number) {
  return db
    .update(broadcastRanges)
    .set({ state: "claimed", leaseToken: claim.leaseToken, dueAt: leaseUntil })
    .where(and(isRange(claim), isDue(now)))
    .returning();
}

/**
 * The number of following ranges that a worker checks for one to continue with. Others work on some
 * of them.
 */
const NEXT_RANGES = 10;

/** Claims the next range after one that the same worker held, if it waits and is due. */
export function claimNextRange(
  db: Database,
  { broadcastId, afterId, leaseToken }: RangeClaim,
  now: number,
  leaseUntil: number,
) {
  const next = sql`select after_id from (
      select after_id, state, due_at from broadcast_ranges
      where broadcast_id = ${broadcastId} and after_id > ${afterId} order by after_id limit ${NEXT_RANGES})
    where state = 'pending' and ${isDue(now)} order by after_id limit 1`;
  return db
    .update(broadcastRanges)
    .set({ state: "claimed", leaseToken, dueAt: leaseUntil })
    .where(
      and(
        eq(broadcastRanges.broadcastId, broadcastId),
        sql`after_id = (${next})`,
        sql`exists (select 1 from broadcasts where id = ${broadcastId} and state = 'sending')`,
      ),
    )
    .returning();
}

/** Changes a range if the claim still holds it. Returns a row on success. */
export function updateHeldRange(
  db: Database,
  claim: RangeClaim,
  change: SQLiteUpdateSetSource<typeof broadcastRanges>,
) {
  return db.update(broadcastRanges).set(change).where(isHeld(claim)).returning();
}

/** Deletes a finished range if the claim holds it and `when` is true. */
export function deleteHeldRange(db: Database, claim: RangeClaim, when: SQL = sql`true`) {
  return db.delete(broadcastRanges).where(and(isHeld(claim), when));
}

/** Adds the counts of a finished range to its broadcast. Must run before the range is deleted. */
export function addRangeCounts(db: Database, claim: RangeClaim, when: SQL = sql`true`) {
  const from = sql`from broadcast_ranges r where r.broadcast_id = ${claim.broadcastId} and r.after_id = ${claim.afterId} and r.lease_token = ${claim.leaseToken}`;
  return db.run(
    sql`update broadcasts set (sent, failed, bounced, suppressed) =
        (select broadcasts.sent + r.sent, broadcasts.failed + r.failed, broadcasts.bounced + r.bounced, broadcasts.suppressed + r.suppressed ${from})
      where id = ${claim.broadcastId} and exists (select 1 ${from}) and ${when}`,
  );
}

/** Returns the SQL condition that the claim still holds its range. */
export function rangeHeld(claim: RangeClaim): SQL {
  return sql`exists (select 1 from broadcast_ranges where broadcast_id = ${claim.broadcastId} and after_id = ${claim.afterId} and lease_token = ${claim.leaseToken})`;
}

function isRange({ broadcastId, afterId }: Pick<RangeClaim, "broadcastId" | "afterId">) {
  return and(eq(broadcastRanges.broadcastId, broadcastId), eq(broadcastRanges.afterId, afterId));
}

/** Returns the condition on the range's own row that the claim holds it. */
export function isHeld(claim: RangeClaim) {
  return and(isRange(claim), eq(broadcastRanges.leaseToken, claim.leaseToken));
}
