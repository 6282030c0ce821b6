import { readFileSync } from "node:fs";
import { OperatorError } from "../command-line.ts";
import type { Environment } from "../local/settings.ts";

const DAY_MS = 86_400_000;
const WRANGLER_TOML = new URL("../../wrangler.toml", import.meta.url);

/**
 * Days the log is kept, 0 for ever: LOG_RETENTION_DAYS from the environment, else from wrangler.toml.
 * Throws OperatorError when it is not a whole number.
 */
export function readRetentionDays(env: Environment): number {
  const inFile = /^LOG_RETENTION_DAYS\s*=\s*"([^"]*)"/m.exec(readFileSync(WRANGLER_TOML, "utf8"));
  const text = env["LOG_RETENTION_DAYS"] || inFile?.[1] || "";
  if (/^\d+$/.test(text)) return Number(text);
  throw new OperatorError(`LOG_RETENTION_DAYS must be a whole number of days, not "${text}"`);
}

/**
 * Start of the first UTC day whose mails retention keeps today and tomorrow, so that a rebuild over
 * midnight is right; 0 when all are kept for ever.
 */
export function firstKeptDay(nowMs: number, retentionDays: number): number {
  if (retentionDays === 0) return 0;
  return nowMs - (nowMs % DAY_MS) - (retentionDays - 1) * DAY_MS;
}

/**
 * The day a rebuild begins with: the given one (`YYYY-MM-DD`), or the first whose mails are all there.
 * Throws OperatorError for what is no day, and for a day whose mails may be gone: its totals would be
 * lost.
 */
export function firstDayToRebuild(given: string | undefined, wholeFromMs: number): number {
  if (given === undefined) return wholeFromMs;
  const at = Date.parse(`${given}T00:00:00Z`);
  const isDay = !Number.isNaN(at) && dayText(at) === given;
  if (!isDay) throw new OperatorError(`--from: "${given}" is not a day as 2026-01-31`);
  if (at >= wholeFromMs) return at;
  throw new OperatorError(
    `--from: mails of ${given} may have been removed from the log; the first day that can be rebuilt is ${dayText(wholeFromMs)}`,
  );
}

/** A day as `YYYY-MM-DD`. */
export function dayText(dayMs: number): string {
  return new Date(dayMs).toISOString().slice(0, "2026-01-31".length);
}
