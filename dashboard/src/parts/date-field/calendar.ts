const DAY_MS = 86_400_000;
const DAYS = 7;
const WEEKS = 6;
/** A Monday. */
const MONDAY = "2024-01-01";

/* Days are local and written as 2026-11-28; they are computed in UTC, where each has 24 hours. */
const isoOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** Returns the day this many days later. */
export const addDays = (day: string, count: number): string =>
  isoOf(Date.parse(day) + count * DAY_MS);

/** Returns the same day this many months later, or the last one of a shorter month. */
export function addMonths(day: string, count: number): string {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + count];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return isoOf(Date.UTC(year, month, Math.min(date.getUTCDate(), last)));
}

interface WeekInfo {
  firstDay: number;
}

/** Returns the first day of the week of a locale: 1 for Monday to 7 for Sunday. */
function firstWeekday(locale: string): number {
  const known: Intl.Locale & { getWeekInfo?: () => WeekInfo } = new Intl.Locale(locale);
  return known.getWeekInfo?.().firstDay ?? 1; // Firefox does not know it
}

/** Returns a day for each weekday, in the order of the locale. */
export const weekdays = (locale: string): string[] =>
  Array.from({ length: DAYS }, (_, n) => addDays(MONDAY, firstWeekday(locale) - 1 + n));

/** Returns the six weeks that show the month of a day. */
export function weeksOf(day: string, locale: string): string[][] {
  const first = `${day.slice(0, 8)}01`;
  const weekday = new Date(first).getUTCDay() || DAYS;
  const start = addDays(first, -((weekday - firstWeekday(locale) + DAYS) % DAYS));
  return Array.from({ length: WEEKS }, (_, week) =>
    Array.from({ length: DAYS }, (__, n) => addDays(start, week * DAYS + n)),
  );
}
