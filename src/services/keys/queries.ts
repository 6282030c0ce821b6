import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { Page } from "../../lib/page.ts";
import { apiKeys } from "../../db/schema/index.ts";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

export function insertKey(db: Database, key: typeof apiKeys.$inferInsert) {
  return db.insert(apiKeys).values(key).returning();
}

const IS_MEMBER = sql<number>`exists (select 1 from projects p cross join workspace_members m
  on m.workspace_id = p.workspace_id where p.id = api_keys.project_id and m.user_id = api_keys.created_by)`;

/** A key with details of its creator. */
export type ListedKey = ApiKeyRow & {
  createdByName: string | null;
  createdByEmail: string | null;
  /** 0 when the creator has left the workspace. */
  createdByMember: number;
};

export function selectKeys(db: Database, projectId: string, { limit, offset }: Page) {
  // Drizzle omits the table name of a column here, so the SQL spells the names out.
  const creator = (column: "name" | "email") =>
    sql<string | null>`(select u.${sql.raw(column)} from users u where u.id = api_keys.created_by)`;
  return db
    .select({
      ...getTableColumns(apiKeys),
      createdByName: creator("name").as("created_by_name"),
      createdByEmail: creator("email").as("created_by_email"),
      createdByMember: IS_MEMBER.as("created_by_member"),
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

/**
 * Returns an SQL expression for a key's name and type as JSON. It must run before the key is
 * deleted.
 */
export function keyFacts(id: string) {
  return sql`(select json_object('name', name, 'type', type) from api_keys where id = ${id})`;
}

/** Returns the SQL condition that the project has this key. */
export function keyExists(projectId: string, id: string) {
  return sql`exists (select 1 from api_keys where id = ${id} and project_id = ${projectId})`;
}
