import { and, desc, eq } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { broadcasts } from "../../db/schema/index.ts";

/**
 * Selects what makes the log ids of the project's newest broadcasts. With an id, a subscriber's mail
 * is found in the log without an index of its own.
 */
export function selectLogKeys(db: Database, projectId: string, limit: number) {
  return db
    .select({ logKey: broadcasts.logKey, createdAt: broadcasts.createdAt })
    .from(broadcasts)
    .where(and(eq(broadcasts.projectId, projectId), eq(broadcasts.kind, "broadcast")))
    .orderBy(desc(broadcasts.id))
    .limit(limit);
}
