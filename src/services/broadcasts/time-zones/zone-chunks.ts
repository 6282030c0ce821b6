import { sql, type SQL } from "drizzle-orm";

/**
 * The first character of the key of a chunk that waits for the time of its zone. No id begins with
 * it.
 */
export const ZONE_MARK = "@";

/**
 * Returns the SQL condition that a chunk must not be made due early, because it waits for its first
 * attempt at the time of its zone.
 */
export const waitsForZone = (now: number): SQL =>
  sql`(substr(after_id, 1, 1) = ${ZONE_MARK} and attempt = 0 and due_at > ${now})`;
