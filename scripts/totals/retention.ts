import { readFileSync } from "node:fs";
import { OperatorError, UsageError } from "../command-line.ts";
import type { Environment } from "../local/settings.ts";

const DAY_MS = 86_400_000;
const WRANGLER_TOML = new URL("../../wrangler.toml", import.meta.url);

/**
 * Returns the log retention in days, 0 for no limit: LOG_RETENTION_DAYS from the environment, else
 * from wrangler.toml. Throws OperatorError if it is not a whole number.
 */
export function readRetentionDays(env: Environment): number {
  const inFile = /^LOG_RETENTION_DAYS\s*=\s*"([^"]*)"/m.exec(readFileSync(WRANGLER_TOML, "utf8"));
  const text = env["LOG_RETENTION_DAYS"] || inFile?.[1] || "";
  if (/^\d+$/.test(text)) return Number(text);
  throw new OperatorError(`LOG_RETENTION_DAYS must be a whole number of days, not "${text}"`);
}

/**
 * Returns the start of the first UTC day that is fully retained both today and tomorrow, so that a
 * rebuild across midnight is correct; 0 without a limit.
 */
export function firstKeptDay(nowMs: number, retentionDays: number): number {
  if (retentionDays === 0) return 0;
  return nowMs - (nowMs % DAY_MS) - (retentionDays - 1) * DAY_MS;
}

/** Returns the start of a day (`YYYY-MM-DD`). Throws UsageError for any other text. */
export function readDay(given: string): number {
  const at = Date.parse(`${given}T00:00:00Z`);
  const isDay = !Number.isNaN(at) && dayText(at) === given;
  if (!isDay) throw new UsageError(`--from: "${given}" is not a day such as 2026-01-31`);
  return at;
}

/**
 * Returns the first day of a rebuild: the given one, or the first day with all its mails. Throws
 * OperatorError for a day whose mails may have expired: its totals would be lost.
 */
export function firstDayToRebuild(given: number | undefined, wholeFromMs: number): number {
  if (given === undefined) return wholeFromMs;
  if (given >= wholeFromMs) return given;
  throw new OperatorError(
    `--from: emails of ${dayText(given)} may have been removed from the log; the first day that can be rebuilt is ${dayText(wholeFromMs)}`,
  );
}

/** Formats a day as `YYYY-MM-DD`. */
export function dayText(dayMs: number): string {
  return new Date(dayMs).toISOString().slice(0, "2026-01-31".length);
}
