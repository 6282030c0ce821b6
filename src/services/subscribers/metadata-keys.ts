import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";

/** The largest number of names that are read from the metadata of a sample. */
const KEYS_MAX = 1_000;

/**
 * Selects the names in the metadata of the newest active subscribers, at most `sample` of them.
 * Reads two rows for each subscriber.
 */
export function selectMetadataKeys(db: Database, projectId: string, sample: number) {
  return db.all<{ key: string }>(
    sql`select distinct key from (
        select metadata from subscribers where project_id = ${projectId} and status = 'active'
        order by id desc limit ${sample}) newest, json_each(newest.metadata)
      limit ${KEYS_MAX}`,
  );
}
