import { and, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { broadcastRanges, broadcasts } from "../../db/schema/index.ts";

export type BroadcastRow = typeof broadcasts.$inferSelect;
export type RangeRow = typeof broadcastRanges.$inferSelect;
export type NewBroadcast = Omit<typeof broadcasts.$inferInsert, "cutoffId">;

/** A broadcast and its cut-off, which is the newest subscriber there is at this moment. */
export function insertBroadcast(db: Database, broadcast: NewBroadcast) {
  const { projectId, status } = broadcast;
  const newest = sql<string>`coalesce((select max(id) from subscribers where project_id = ${projectId} and status = ${status}), '')`;
  return db
    .insert(broadcasts)
    .values({ ...broadcast, cutoffId: newest })
    .returning();
}

export function selectBroadcast(db: Database, id: string) {
  return db.select().from(broadcasts).where(eq(broadcasts.id, id));
}

export function selectProjectBroadcast(db: Database, projectId: string, id: string) {
  return db
    .select()
    .from(broadcasts)
    .where(and(eq(broadcasts.id, id), eq(broadcasts.projectId, projectId)));
}

/** The project's broadcasts, newest first. */
export function selectBroadcasts(db: Database, projectId: string, limit: number, offset: number) {
  return db
    .select()
    .from(broadcasts)
    .where(eq(broadcasts.projectId, projectId))
    .orderBy(desc(broadcasts.id))
    .limit(limit)
    .offset(offset);
}

/** Counts of what is under way: ranges that are done have given theirs to the broadcast. */
export function selectOpenCounts(db: Database, ids: string[]) {
  return db.all<{
    broadcastId: string;
    sent: number;
    failed: number;
    bounced: number;
    suppressed: number;
  }>(
    sql`select broadcast_id as "broadcastId", sum(sent) as sent, sum(failed) as failed, sum(bounced) as bounced, sum(suppressed) as suppressed
      from broadcast_ranges where broadcast_id in (select value from json_each(${JSON.stringify(ids)})) group by broadcast_id`,
  );
}

/** Moves a broadcast from one of some states to another; a row comes back if it did. */
export function moveState(
  db: Database,
  projectId: string,
  id: string,
  from: BroadcastRow["state"][],
  change: Partial<BroadcastRow>,
) {
  return db
    .update(broadcasts)
    .set(change)
    .where(
      and(
        eq(broadcasts.id, id),
        eq(broadcasts.projectId, projectId),
        inArray(broadcasts.state, from),
      ),
    )
    .returning();
}

/** A condition for use in a batch: the broadcast is in one of these states. */
export function isInState(projectId: string, id: string, states: BroadcastRow["state"][]): SQL {
  return sql`exists (select 1 from broadcasts where id = ${id} and project_id = ${projectId} and state in (select value from json_each(${JSON.stringify(states)})))`;
}

/** The subscribers a broadcast is for: conditions on `subscribers`. */
function audience({ projectId, status, source }: BroadcastRow): SQL {
  const bySource = source === null ? sql`` : sql` and source = ${source}`;
  return sql`project_id = ${projectId} and status = ${status}${bySource}`;
}

/** The next stretch of a broadcast's audience: ids above what is planned, in their order. */
function stretch(broadcast: BroadcastRow): SQL {
  const { plannedId, cutoffId } = broadcast;
  return sql`select id from subscribers
    where ${audience(broadcast)} and id > ${plannedId} and id <= ${cutoffId} order by id`;
}

/**
 * Plans the next ranges of a broadcast in one statement: up to `ranges` of `size` subscribers each.
 * Does nothing when another planner has been faster; `updatePlanned` follows in the same batch.
 * Rows read: the stretch.
 */
export function insertNextRanges(
  db: Database,
  broadcast: BroadcastRow,
  { ranges, size, now }: { ranges: number; size: number; now: number },
) {
  const { id, plannedId } = broadcast;
  return db.all<{ afterId: string }>(
    sql`insert into broadcast_ranges (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token, in_flight, again, deferred)
      select ${id}, after_id, until_id, after_id, 'pending', ${now}, '', '[]', '[]', '[]' from (
        select coalesce(lag(until_id) over (order by n), ${plannedId}) as after_id, until_id from (
          select n, max(id) as until_id from (
            select id, cast((row_number() over (order by id) - 1) / ${size} as integer) as n
            from (${stretch(broadcast)} limit ${ranges * size}))
          group by n))
      where exists (select 1 from broadcasts where id = ${id} and planned_id = ${plannedId})
      returning after_id as "afterId"`,
  );
}

/** Notes how far the planning has come; no row comes back when another planner has been faster. */
export function updatePlanned(
  db: Database,
  broadcast: BroadcastRow,
  subscribers: number,
  planDueAt: number,
) {
  const last = sql`(${stretch(broadcast)} limit 1 offset ${subscribers - 1})`;
  return db
    .update(broadcasts)
    .set({ plannedId: sql`coalesce(${last}, ${broadcast.cutoffId})`, planDueAt })
    .where(and(eq(broadcasts.id, broadcast.id), eq(broadcasts.plannedId, broadcast.plannedId)))
    .returning({ plannedId: broadcasts.plannedId });
}

/** Ends a broadcast whose ranges are all planned and all done; every such broadcast without an id. */
export function finishIfDone(db: Database, now: number, id?: string) {
  return db
    .update(broadcasts)
    .set({ state: "done", finishedAt: now })
    .where(
      and(
        eq(broadcasts.state, "sending"),
        id === undefined ? undefined : eq(broadcasts.id, id),
        sql`planned_id >= cutoff_id`,
        sql`not exists (select 1 from broadcast_ranges where broadcast_id = broadcasts.id)`,
      ),
    );
}

/** Broadcasts whose planning stopped half-way, or that were never begun. */
export function selectUnplanned(db: Database, now: number, limit: number) {
  return db.all<{ id: string }>(
    sql`select id from broadcasts where state in ('queued', 'sending') and plan_due_at <= ${now}
      and (state = 'queued' or planned_id < cutoff_id) limit ${limit}`,
  );
}

/**
 * Ranges that nobody works on though they are due: pending ones whose message was lost `graceMs` ago,
 * and claimed ones whose lease ran out. A pending one is not found again before another grace is over.
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

/** The waiting ranges of a broadcast, due now. */
export function releaseRanges(db: Database, broadcastId: string, now: number) {
  return db
    .update(broadcastRanges)
    .set({ dueAt: now })
    .where(and(eq(broadcastRanges.broadcastId, broadcastId), eq(broadcastRanges.state, "pending")))
    .returning({ afterId: broadcastRanges.afterId });
}

/** Removes the waiting ranges of a cancelled broadcast, after giving it their counts. */
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

/** Which range, and the proof that this worker holds it. */
export interface RangeClaim {
  broadcastId: string;
  afterId: string;
  leaseToken: string;
}

/** Takes a range that is due; a row comes back for exactly one of many who try. */
export function claimRange(db: Database, claim: RangeClaim, now: number, leaseUntil: number) {
  return db
    .update(broadcastRanges)
    .set({ state: "claimed", leaseToken: claim.leaseToken, dueAt: leaseUntil })
    .where(and(isRange(claim), sql`${broadcastRanges.dueAt} <= ${now}`))
    .returning();
}

/** Changes a range as long as the claim holds it; a row comes back if it did. */
export function updateHeldRange(
  db: Database,
  claim: RangeClaim,
  change: SQLiteUpdateSetSource<typeof broadcastRanges>,
) {
  return db.update(broadcastRanges).set(change).where(isHeld(claim)).returning();
}

/** The recipients to claim next: those of `ids` who still are in the audience, or the next ones after the cursor. */
export type NextGroup = { kind: "ids"; ids: string[] } | { kind: "after_cursor" };

/**
 * Moves a held range on by one group, if the broadcast is being sent: writes down the claimed
 * recipients beside those still in hand, and moves the cursor (to the end when nobody is left) or
 * takes the group off `again`. Returns the new place and the broadcast's state.
 */
export function claimNextGroup(
  db: Database,
  broadcast: BroadcastRow,
  range: Pick<RangeRow, "cursorId" | "untilId" | "again">,
  claim: RangeClaim,
  group: NextGroup,
  inHand: string[],
  size: number,
  change: SQLiteUpdateSetSource<typeof broadcastRanges>,
) {
  const isSending = sql`(select state from broadcasts where id = ${broadcast.id}) = 'sending'`;
  const { cursorId, untilId } = range;
  const which =
    group.kind === "ids"
      ? sql`id in (select value from json_each(${JSON.stringify(group.ids)}))`
      : sql`id > ${cursorId} and id <= ${untilId}`;
  const page = sql`select id from subscribers where ${audience(broadcast)} and ${which} and ${isSending} order by id limit ${size}`;
  const held = sql`select value as id from json_each(${JSON.stringify(inHand)})`;
  const place =
    group.kind === "ids"
      ? {
          again: sql`iif(${isSending}, ${JSON.stringify(range.again.slice(group.ids.length))}, again)`,
        }
      : {
          cursorId: sql`coalesce((select max(id) from (${page})), iif(${isSending}, until_id, cursor_id))`,
        };
  return db
    .update(broadcastRanges)
    .set({
      ...change,
      ...place,
      inFlight: sql`(select json_group_array(id) from (select id from (${held}) union all select id from (${page})))`,
    })
    .where(isHeld(claim))
    .returning({
      again: broadcastRanges.again,
      cursorId: broadcastRanges.cursorId,
      state: sql<BroadcastRow["state"]>`(select state from broadcasts where id = ${broadcast.id})`,
      recipients: sql<Recipient[]>`(${recipientsIn(sql`in_flight`)})`.mapWith(parseRecipients),
    });
}

/** Subscribers whose ids are in a JSON array, with their suppression at this moment, as a JSON array. */
function recipientsIn(ids: SQL): SQL {
  return sql`select json_group_array(json_object('id', id, 'email', email, 'name', name, 'metadata', json(metadata), 'suppressed', exists (
      select 1 from suppressions where project_id = subscribers.project_id and email = subscribers.email)))
    from subscribers where id in (select value from json_each(${ids}))`;
}

const parseRecipients = (json: string) => JSON.parse(json) as Recipient[];

/** A subscriber as a range loads it. */
export interface Recipient {
  id: string;
  email: string;
  name: string;
  metadata: Record<string, unknown>;
  /** 1 when the address is on the suppression list. */
  suppressed: number;
}

/** Everybody a held range has written down as in flight: one row. */
export function selectInFlight(db: Database, claim: RangeClaim) {
  return db
    .select({
      recipients: sql<Recipient[]>`(${recipientsIn(sql`in_flight`)})`.mapWith(parseRecipients),
    })
    .from(broadcastRanges)
    .where(isHeld(claim));
}

/** Removes a range that is over, if the claim holds it and `when` is true. */
export function deleteHeldRange(db: Database, claim: RangeClaim, when: SQL = sql`true`) {
  return db.delete(broadcastRanges).where(and(isHeld(claim), when));
}

/** Gives the counts of a finished range to its broadcast; goes before the range is deleted. */
export function addRangeCounts(db: Database, claim: RangeClaim, when: SQL = sql`true`) {
  const from = sql`from broadcast_ranges r where r.broadcast_id = ${claim.broadcastId} and r.after_id = ${claim.afterId} and r.lease_token = ${claim.leaseToken}`;
  return db.run(
    sql`update broadcasts set (sent, failed, bounced, suppressed) =
        (select broadcasts.sent + r.sent, broadcasts.failed + r.failed, broadcasts.bounced + r.bounced, broadcasts.suppressed + r.suppressed ${from})
      where id = ${claim.broadcastId} and exists (select 1 ${from}) and ${when}`,
  );
}

/** A condition for use in a batch: the claim still holds its range. */
export function rangeHeld(claim: RangeClaim): SQL {
  return sql`exists (select 1 from broadcast_ranges where broadcast_id = ${claim.broadcastId} and after_id = ${claim.afterId} and lease_token = ${claim.leaseToken})`;
}

function isRange({ broadcastId, afterId }: Pick<RangeClaim, "broadcastId" | "afterId">) {
  return and(eq(broadcastRanges.broadcastId, broadcastId), eq(broadcastRanges.afterId, afterId));
}

function isHeld(claim: RangeClaim) {
  return and(isRange(claim), eq(broadcastRanges.leaseToken, claim.leaseToken));
}
