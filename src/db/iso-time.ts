import { sql, type SQL } from "drizzle-orm";

/** A point in time in SQL (milliseconds) as RFC 3339 text, the same as `toISOString` gives; null stays null. */
export function isoTime(ms: SQL): SQL {
  return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`;
}
