import { and, desc, eq, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { apiKeys } from "../../db/schema/index.ts";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

export function insertKey(db: Database, key: typeof apiKeys.$inferInsert) {
  return db.insert(apiKeys).values(key).returning();
}

export function selectKeys(db: Database, projectId: string) {
  return db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.projectId, projectId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}

export function deleteKey(db: Database, projectId: string, id: string) {
  return db
    .delete(apiKeys)
    .where(and(eq(apiKeys.projectId, projectId), eq(apiKeys.id, id)))
    .returning({ id: apiKeys.id });
}

/** A condition for use in a batch: the project has this key. */
export function keyExists(projectId: string, id: string) {
  return sql`exists (select 1 from api_keys where id = ${id} and project_id = ${projectId})`;
}
