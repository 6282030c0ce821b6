/** The latest time that a Date can represent. */
const LAST_MS = 8.64e15;

/** Time zone of the user. */
export const readersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns true if this browser knows a zone; the service may know newer ones. */
export function knowsZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone }).format();
    return true;
  } catch {
    return false;
  }
}

/** Returns the local time of a zone in the format of a datetime-local input. */
export function wallClockOf(at: string, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    calendar: "iso8601",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(new Date(at));
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  const year = part["year"]?.padStart(4, "0"); // a user who types 2026 starts with the year 2
  return `${year}-${part["month"]}-${part["day"]}T${part["hour"]}:${part["minute"]}`;
}

/** Parses a time as UTC, clamped to the latest time. */
function utcOf(clock: string): number {
  const [, year = "", rest = ""] = /^(\d+)(-\d\d-\d\dT\d\d:\d\d)/.exec(clock) ?? [];
  const moment = Date.parse(`+${year.padStart(6, "0")}${rest}Z`);
  return Number.isNaN(moment) ? LAST_MS : moment;
}

const isoOf = (moment: number): string => new Date(Math.min(moment, LAST_MS)).toISOString();

/**
 * Returns the moment of a local time in a zone. A time skipped by daylight saving counts as an hour
 * later or earlier. Every input value has a moment, even while the year is being typed.
 */
export function momentOf(clock: string, zone: string): string {
  const shown = utcOf(clock);
  const offsetAt = (moment: number) =>
    utcOf(wallClockOf(isoOf(moment), zone)) - Math.floor(moment / 60_000) * 60_000;
  const nearby = shown - offsetAt(shown);
  return isoOf(shown - offsetAt(nearby));
}
