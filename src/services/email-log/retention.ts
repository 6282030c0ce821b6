import { eq } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database } from "../../db/client.ts";
import { logRetention } from "../../db/schema/index.ts";
import { DAY_MS, floorTo } from "../../lib/durations.ts";

/** The storage-dependent part of the retention. */
export type ShortenedLog = Pick<typeof logRetention.$inferSelect, "days" | "keptFrom">;

const { id, days, keptFrom } = logRetention;

/** The condition that selects the table's only row. */
export const ONE_ROW = eq(id, "log");

/** Selects the retention as shortened by full storage: one row. */
export const selectShortenedLog = (db: Database) =>
  db.select({ days, keptFrom }).from(logRetention).where(ONE_ROW);

/** Returns the start of the first UTC day that a retention of this many days keeps. */
export const keptFromDays = (now: number, count: number) => floorTo(now - count * DAY_MS, DAY_MS);

/**
 * Returns the start of the first UTC day whose log entries are kept, in milliseconds (API reference
 * §4.3): from LOG_RETENTION_DAYS, or from a retention that full storage has shortened, now or
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
