/*
 * Wall clocks of time zones, according to Intl. A wall time is a timestamp that reads as if it were
 * UTC.
 */

/** Maximum length of a zone name; all names in the IANA database are shorter. */
export const ZONE_CHARACTERS_MAX = 64;

/** A wall clock: maps a moment to the local time in its zone. */
export type Clock = (at: number) => number;

/** Returns the wall clock of a zone such as "Europe/Berlin"; undefined for an unknown name. */
export function clockOf(zone: string): Clock | undefined {
  if (zone === "" || zone.length > ZONE_CHARACTERS_MAX) return undefined;
  const format = formatOf(zone);
  return format && ((at) => readClock(format, at));
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "iso8601",
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readClock(format: Intl.DateTimeFormat, at: number): number {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const [year, month, day] = [part("year"), part("month") - 1, part("day")];
  const seconds = Date.UTC(year, month, day, part("hour"), part("minute"), part("second"));
  return seconds + (at - Math.floor(at / 1_000) * 1_000);
}

const DAY_MS = 86_400_000;

/**
 * Returns the moment at which a clock shows a wall time: the first one if it is ambiguous. For a
 * time that daylight saving skips, returns the moment at which the clock would show it without the
 * change.
 */
export function momentOf(clock: Clock, wall: number): number {
  const before = wall - (clock(wall - DAY_MS) - (wall - DAY_MS));
  const after = wall - (clock(wall + DAY_MS) - (wall + DAY_MS));
  const fits = [before, after].filter((at) => clock(at) === wall);
  return fits.length > 0 ? Math.min(...fits) : before;
}
