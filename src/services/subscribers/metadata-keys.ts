import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";

/** The maximum number of names read from the metadata of a sample. */
const KEYS_MAX = 1_000;

/**
 * Selects the metadata names of the newest active subscribers, at most `sample` of them. Reads two
 * rows per subscriber.
 */
export function selectMetadataKeys(db: Database, projectId: string, sample: number) {
  return db.all<{ key: string }>(
    sql`select distinct key from (
        select metadata from subscribers where project_id = ${projectId} and status = 'active'
        order by id desc limit ${sample}) newest, json_each(newest.metadata)
      limit ${KEYS_MAX}`,
  );
}
