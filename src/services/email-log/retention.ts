import type { Deps } from "../../deps.ts";
import { DAY_MS, floorTo } from "../../lib/durations.ts";

/**
 * Returns the start of the first UTC day whose log entries are kept, in milliseconds
 * (API reference §4.3, LOG_RETENTION_DAYS). Returns undefined if entries are kept for ever.
 */
export function logKeptFrom({ config, now }: Pick<Deps, "config" | "now">): number | undefined {
  const days = config.logRetentionDays;
  if (days === 0) return undefined;
  return floorTo(now() - days * DAY_MS, DAY_MS);
}
