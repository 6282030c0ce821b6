import type { App } from "../../app.ts";
import { DAY_MS } from "../../lib/durations.ts";

/**
 * The start of the UTC day from which on entries of the log are kept (API reference §4.3,
 * LOG_RETENTION_DAYS), in milliseconds; undefined when they are kept for ever.
 */
export function logKeptFrom({ config, now }: Pick<App, "config" | "now">): number | undefined {
  const days = config.logRetentionDays;
  if (days === 0) return undefined;
  const at = now() - days * DAY_MS;
  return at - (at % DAY_MS);
}
