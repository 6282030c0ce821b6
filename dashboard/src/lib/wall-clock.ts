/** The last moment that a date can hold. */
const LAST_MS = 8.64e15;

/** The time zone of the reader. */
export const readersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Tells whether this browser has the clocks of a zone; the service may know newer ones. */
export function knowsZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone }).format();
    return true;
  } catch {
    return false;
  }
}

/** Returns what the clocks of a zone show at a moment, as a field of a day with a time holds it. */
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
  const year = part["year"]?.padStart(4, "0"); // somebody who types 2026 begins with the year 2
  return `${year}-${part["month"]}-${part["day"]}T${part["hour"]}:${part["minute"]}`;
}

/** Reads a time as the clocks of UTC show it; one after the last moment is that one. */
function utcOf(clock: string): number {
  const [, year = "", rest = ""] = /^(\d+)(-\d\d-\d\dT\d\d:\d\d)/.exec(clock) ?? [];
  const moment = Date.parse(`+${year.padStart(6, "0")}${rest}Z`);
  return Number.isNaN(moment) ? LAST_MS : moment;
}

const isoOf = (moment: number): string => new Date(Math.min(moment, LAST_MS)).toISOString();

/**
 * Returns the moment at which the clocks of a zone show a time. One that they skip counts as an
 * hour later or earlier. Any time of a field has a moment, also one whose year is being typed.
 */
export function momentOf(clock: string, zone: string): string {
  const shown = utcOf(clock);
  const offsetAt = (moment: number) =>
    utcOf(wallClockOf(isoOf(moment), zone)) - Math.floor(moment / 60_000) * 60_000;
  const nearby = shown - offsetAt(shown);
  return isoOf(shown - offsetAt(nearby));
}
