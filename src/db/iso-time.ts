import { sql, type SQL } from "drizzle-orm";

/** Converts SQL milliseconds to RFC 3339 text in the format of `toISOString`. Null stays null. */
export function isoTime(ms: SQL): SQL {
  return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`;
}
