import { sql, type SQL } from "drizzle-orm";

/**
 * Converts a time in SQL (milliseconds) to RFC 3339 text, as `toISOString` does; null stays null.
 */
export function isoTime(ms: SQL): SQL {
  return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`;
}
