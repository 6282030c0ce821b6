const MINUTES = "2026-11-22T10:00".length;

/** The time zone of the reader. */
export const readersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

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
  return `${part["year"]}-${part["month"]}-${part["day"]}T${part["hour"]}:${part["minute"]}`;
}

/**
 * Returns the moment at which the clocks of a zone show a time. One that they skip counts as an
 * hour later or earlier.
 */
export function momentOf(clock: string, zone: string): string {
  const shown = Date.parse(`${clock.slice(0, MINUTES)}Z`);
  const offsetAt = (moment: number) => {
    const there = wallClockOf(new Date(moment).toISOString(), zone);
    return Date.parse(`${there}Z`) - Math.floor(moment / 60_000) * 60_000;
  };
  const nearby = shown - offsetAt(shown);
  return new Date(shown - offsetAt(nearby)).toISOString();
}
