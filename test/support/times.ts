/* Times inside a test: lengths in milliseconds, instants as the API writes them, cron jobs. */
import { beforeEach, vi } from "vitest";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const EVERY_MINUTE = "* * * * *";
export const EVERY_FIVE_MINUTES = "*/5 * * * *";
export const EVERY_NIGHT = "17 3 * * *";

export const iso = (ms: number) => new Date(ms).toISOString();

/** A clock that stands still until a test moves it. Each test begins at `start`. */
export function standingClock(start: number) {
  const clock = { now: start };
  beforeEach(() => {
    clock.now = start;
  });
  return clock;
}

/** Runs `check` until it does not throw, for up to 30 s: far above what a busy machine needs. */
export const eventually = <T>(check: () => T | Promise<T>) =>
  vi.waitFor(check, { timeout: 30 * SECOND, interval: 20 });
