import { and, desc, eq } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { broadcasts } from "../../db/schema/index.ts";

/**
 * The parts from which the log ids of a broadcast or batch are derived, with the id of its last
 * recipient.
 */
const KEY = {
  logKey: broadcasts.logKey,
  createdAt: broadcasts.createdAt,
  lastId: broadcasts.cutoffId,
};

const ofKind = (projectId: string, kind: "broadcast" | "batch") =>
  and(eq(broadcasts.projectId, projectId), eq(broadcasts.kind, kind));

/**
 * Selects the log id parts of the project's newest broadcasts. With a subscriber's id, they locate
 * the subscriber's mail in the log without a separate index.
 */
export function selectLogKeys(db: Database, projectId: string, limit: number) {
  return db
    .select(KEY)
    .from(broadcasts)
    .where(ofKind(projectId, "broadcast"))
    .orderBy(desc(broadcasts.id))
    .limit(limit);
}

/** Selects the same for a batch: at most one row. */
export function selectBatchKey(db: Database, projectId: string, id: string) {
  return db
    .select(KEY)
    .from(broadcasts)
    .where(and(eq(broadcasts.id, id), ofKind(projectId, "batch")))
    .orderBy(desc(broadcasts.id))
    .limit(1);
}
