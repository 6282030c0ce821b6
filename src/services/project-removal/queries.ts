import { eq, and, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { projectPurges } from "../../db/schema/index.ts";

/** Records that the rows of a deleted project must be purged. */
export function insertPurge(db: Database, projectId: string, now: number) {
  return db.insert(projectPurges).values({ projectId, createdAt: now }).onConflictDoNothing();
}

/** Selects deleted projects that still have rows, oldest deletions first. */
export function selectPurges(db: Database, limit: number) {
  return db.select().from(projectPurges).orderBy(projectPurges.createdAt).limit(limit);
}

/** Ends the purge of a project if `when` holds. */
export function deletePurge(db: Database, projectId: string, when: SQL) {
  return db.delete(projectPurges).where(and(eq(projectPurges.projectId, projectId), when));
}
