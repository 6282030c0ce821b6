import { and, desc, eq, gte, lt } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { broadcasts } from "../../db/schema/index.ts";

/**
 * The parts from which the log ids of a broadcast or batch are derived, with the id of its last
 * recipient.
 */
const KEY = {
  id: broadcasts.id,
  logKey: broadcasts.logKey,
  createdAt: broadcasts.createdAt,
  lastId: broadcasts.cutoffId,
};

const ofKind = (projectId: string, kind: "broadcast" | "batch") =>
  and(eq(broadcasts.projectId, projectId), eq(broadcasts.kind, kind));

/**
 * Selects the log id parts of the project's newest broadcasts, those before an id and from a time
 * on if given. With a subscriber's id, they locate the subscriber's mail in the log without a
 * separate index.
 */
export function selectLogKeys(
  db: Database,
  projectId: string,
  limit: number,
  { beforeId, since }: { beforeId?: string; since?: number } = {},
) {
  return db
    .select(KEY)
    .from(broadcasts)
    .where(
      and(
        ofKind(projectId, "broadcast"),
        beforeId === undefined ? undefined : lt(broadcasts.id, beforeId),
        since === undefined ? undefined : gte(broadcasts.createdAt, since),
      ),
    )
    .orderBy(desc(broadcasts.id))
    .limit(limit);
}

/** Selects the same for a batch: at most one row. */
export function selectBatchKey(db: Database, projectId: string, id: string) {
  return db
    .select(KEY)
    .from(broadcasts)
    .where(and(eq(broadcasts.id, id), ofKind(projectId, "batch")))
    .limit(1);
}
