import { sql, type SQL } from "drizzle-orm";

/**
 * The first character of the key of a chunk that waits for the time of its zone. No id begins with
 * it.
 */
const MARK = "@";

/** Returns SQL for the key of a zone's chunk of the stretch after an id. */
export const zoneKey = (plannedId: string, due: SQL, n: SQL): SQL =>
  sql`${MARK} || ${due} || '/' || ${plannedId} || '/' || ${n}`;

/**
 * Returns the SQL condition that a chunk must not be made due early, because it waits for its first
 * attempt at the time of its zone.
 */
export const waitsForZone = (now: number): SQL =>
  sql`(substr(after_id, 1, 1) = ${MARK} and attempt = 0 and due_at > ${now})`;
