import { and, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { broadcasts } from "../../db/schema/index.ts";

export type BroadcastRow = typeof broadcasts.$inferSelect;
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

/** How many broadcasts the project has, by an index. */
export function countBroadcasts(db: Database, projectId: string) {
  return db.all<{ total: number }>(
    sql`select count(*) as total from broadcasts where project_id = ${projectId}`,
  );
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
 * The subscribers a broadcast is for: conditions on `subscribers`, each kind with an index of its own.
 * SQLite takes the one of sources only where `source <> ''` is said in so many words.
 */
export function audience({ projectId, status, source }: BroadcastRow): SQL {
  const bySource = source === null ? sql`` : sql` and source <> '' and source = ${source}`;
  return sql`project_id = ${projectId} and status = ${status}${bySource}`;
}
