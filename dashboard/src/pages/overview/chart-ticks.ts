import { languageChoice } from "../../text/language.ts";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const STEP_HOURS = [1, 2, 3, 6, 12, 24, 48, 168, 336, 720];

/** Returns the numbers beside a chart from 0 to its top: few, round and whole. */
export function numberTicks(top: number, atMost: number): number[] {
  const rough = Math.max(1, top / atMost);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((one) => one * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
}

export interface TimeTick {
  at: number;
  label: string;
}

/** Returns the times below a chart: whole hours or days of the reader's zone. */
export function timeTicks(from: number, to: number, atMost: number): TimeTick[] {
  const roughHours = (to - from) / atMost / HOUR_MS;
  const hours =
    STEP_HOURS.find((step) => step >= roughHours) ?? Math.ceil(roughHours / DAY_HOURS) * DAY_HOURS;
  const format = new Intl.DateTimeFormat(
    languageChoice.read(),
    hours < DAY_HOURS ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short" },
  );
  const ticks: TimeTick[] = [];
  const clock = new Date(from);
  clock.setHours(0, 0, 0, 0);
  // the clock counts in days and hours of the zone: a day of 23 hours moves no midnight
  while (clock.getTime() <= to) {
    const at = clock.getTime();
    if (at >= from) ticks.push({ at, label: format.format(clock) });
    if (hours < DAY_HOURS) clock.setTime(at + hours * HOUR_MS);
    else clock.setDate(clock.getDate() + hours / DAY_HOURS);
  }
  return ticks;
}
