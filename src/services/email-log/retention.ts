import type { Deps } from "../../deps.ts";
import { DAY_MS, floorTo } from "../../lib/durations.ts";

/**
 * Returns the start of the first UTC day whose log entries are kept, in milliseconds, or undefined
 * if all are kept (LOG_RETENTION_DAYS, API reference §4.3).
 */
export function logKeptFrom({ config, now }: Pick<Deps, "config" | "now">): number | undefined {
  const days = config.logRetentionDays;
  return days === 0 ? undefined : floorTo(now() - days * DAY_MS, DAY_MS);
}
