import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { isOneOf, nextVersion } from "../../db/version.ts";
import { segments } from "../../db/schema/index.ts";

export type SegmentRow = typeof segments.$inferSelect;

/** The maximum number of segments per project; our own limit. */
export const MOST_SEGMENTS = 200;

const ownSegment = (projectId: string, id: string) =>
  and(eq(segments.projectId, projectId), eq(segments.id, id));

/**
 * Returns a condition for a batch: the project has this segment, and the caller expects its
 * version, which is `updated_at`. Undefined expects any version.
 */
export const segmentIs = (projectId: string, id: string, expected: number[] | undefined): SQL =>
  sql`exists (select 1 from segments where id = ${id} and project_id = ${projectId}
    and ${isOneOf(expected, segments.updatedAt)})`;

/** Returns a condition for a batch: no other segment of the project has the name. */
export const nameIsFree = (projectId: string, id: string, name: string | undefined): SQL =>
  sql`not exists (select 1 from segments where project_id = ${projectId} and name = ${name ?? null} and id <> ${id})`;

/** Returns a condition for a batch: the project has fewer segments than the limit. */
export const hasRoom = (projectId: string): SQL =>
  sql`(select count(*) from segments where project_id = ${projectId}) < ${MOST_SEGMENTS}`;

/** Inserts a segment if `when` is true, and returns its row. */
export function insertSegment(db: Database, segment: SegmentRow, when: SQL) {
  const { id, projectId, name, condition, createdAt, updatedAt } = segment;
  const row = sql`select ${id}, ${projectId}, ${name}, ${condition}, ${createdAt}, ${updatedAt}`;
  return db
    .insert(segments)
    .select(sql`${row} where ${when}`)
    .returning();
}

/** Selects the segments of a project by name. */
export function selectSegments(db: Database, projectId: string) {
  return db
    .select()
    .from(segments)
    .where(eq(segments.projectId, projectId))
    .orderBy(asc(segments.name));
}

/** Selects the project's segment with this id: at most one row. */
export function selectSegment(db: Database, projectId: string, id: string) {
  return db.select().from(segments).where(ownSegment(projectId, id));
}

/** Changes a segment if `when` is true, and returns its row. */
export function updateSegmentRow(
  db: Database,
  projectId: string,
  id: string,
  change: Partial<Pick<SegmentRow, "name" | "condition">>,
  now: number,
  when: SQL,
) {
  return db
    .update(segments)
    .set({ ...change, updatedAt: nextVersion(now, segments.updatedAt) })
    .where(and(ownSegment(projectId, id), when))
    .returning();
}

/** Deletes a segment if `when` is true, and returns its id. */
export function deleteSegmentRow(db: Database, projectId: string, id: string, when: SQL) {
  return db
    .delete(segments)
    .where(and(ownSegment(projectId, id), when))
    .returning({ id: segments.id });
}
