const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const HOURS = 24;

/** Opens within an hour. `bucket` is its start. */
interface OpenHour {
  bucket: string;
  opens: number;
}

/**
 * Returns the opens by weekday (from Sunday) and hour in a time zone. Each hour is converted on its
 * own, so that a change of the clocks within the period moves none. In a zone with an offset of half
 * an hour, an hour counts where it begins.
 */
export function foldOpens(series: readonly OpenHour[], timeZone: string): number[][] {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    hourCycle: "h23",
  });
  const table = DAYS.map(() => Array.from({ length: HOURS }, () => 0));
  for (const { bucket, opens } of series) {
    const parts = format.formatToParts(new Date(bucket));
    const part = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
    const row = table[DAYS.indexOf(part["weekday"] ?? "")] ?? [];
    const hour = Number(part["hour"]);
    row[hour] = (row[hour] ?? 0) + opens;
  }
  return table;
}
