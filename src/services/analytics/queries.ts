import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";

/**
 * Selects the current number of active subscribers: one row, or none if the project never had any.
 */
export function selectActiveSubscribers(db: Database, projectId: string) {
  return db.all<{ active: number }>(
    sql`select subscribers_active as active from project_counters where project_id = ${projectId}`,
  );
}
