import { eq } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database } from "../../db/client.ts";
import { logRetention } from "../../db/schema/index.ts";
import { DAY_MS, floorTo } from "../../lib/durations.ts";

/** The part of the retention that depends on the storage. */
export type ShortenedLog = Pick<typeof logRetention.$inferSelect, "days" | "keptFrom">;

const { id, days, keptFrom } = logRetention;

/** The condition on the one row of the table. */
export const ONE_ROW = eq(id, "log");

/** Selects the retention as full storage has shortened it: one row. */
export const selectShortenedLog = (db: Database) =>
  db.select({ days, keptFrom }).from(logRetention).where(ONE_ROW);

/** Returns the start of the first UTC day whose entries a retention of this many days keeps. */
export const keptFromDays = (now: number, count: number) => floorTo(now - count * DAY_MS, DAY_MS);

/**
 * Returns the start of the first UTC day whose log entries are kept, in milliseconds (API reference
 * §4.3). LOG_RETENTION_DAYS determines it, or a retention that full storage has shortened, now or
 * earlier. Returns undefined if all entries are kept.
 */
export function logKeptFrom(
  { config, now }: Pick<Deps, "config" | "now">,
  shortened?: ShortenedLog,
): number | undefined {
  const own = config.logRetentionDays;
  const starts = [
    ...(own === 0 ? [] : [keptFromDays(now(), own)]),
    ...(shortened && shortened.keptFrom > 0 ? [shortened.keptFrom] : []),
  ];
  return starts.length === 0 ? undefined : Math.max(...starts);
}
