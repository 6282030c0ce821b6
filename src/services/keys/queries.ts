import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { Page } from "../../lib/page.ts";
import { apiKeys } from "../../db/schema/index.ts";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

export function insertKey(db: Database, key: typeof apiKeys.$inferInsert) {
  return db.insert(apiKeys).values(key).returning();
}

/** A key with the name and address of the person who made it. */
export type ListedKey = ApiKeyRow & { creatorName: string | null; creatorEmail: string | null };

export function selectKeys(db: Database, projectId: string, { limit, offset }: Page) {
  // Names are spelled out: drizzle writes a column without its table here.
  const creator = (column: "name" | "email") =>
    sql<string | null>`(select u.${sql.raw(column)} from users u where u.id = api_keys.created_by)`;
  return db
    .select({
      ...getTableColumns(apiKeys),
      creatorName: creator("name").as("creator_name"),
      creatorEmail: creator("email").as("creator_email"),
    })
    .from(apiKeys)
    .where(eq(apiKeys.projectId, projectId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(limit)
    .offset(offset);
}

export function deleteKey(db: Database, projectId: string, id: string) {
  return db
    .delete(apiKeys)
    .where(and(eq(apiKeys.projectId, projectId), eq(apiKeys.id, id)))
    .returning({ id: apiKeys.id });
}

/** Name and type of a key as JSON, as an SQL expression for use before its removal. */
export function keyFacts(id: string) {
  return sql`(select json_object('name', name, 'type', type) from api_keys where id = ${id})`;
}

/** A condition for use in a batch: the project has this key. */
export function keyExists(projectId: string, id: string) {
  return sql`exists (select 1 from api_keys where id = ${id} and project_id = ${projectId})`;
}
