import { languageChoice } from "../text/language.ts";

/** Returns the locale of the browser in the chosen language, which may name a region: en-GB. */
export function locale(): string {
  const language = languageChoice.read();
  return navigator.languages.find((one) => one.split("-")[0] === language) ?? language;
}

/** Formats a number in the reader's locale: 12,345. */
export const formatNumber = (value: number): string =>
  new Intl.NumberFormat(locale()).format(value);

/** Formats a percentage with at most one decimal: 12.3%. */
export const formatPercent = (percent: number): string =>
  new Intl.NumberFormat(locale(), {
    style: "percent",
    maximumFractionDigits: 1,
  }).format(percent / 100);

/** Formats a duration in its largest unit: 1 second, 2.5 hours. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  const { unit, seconds: length } = STEPS.findLast((step) => step.seconds <= seconds) ?? STEPS[0];
  return new Intl.NumberFormat(locale(), {
    style: "unit",
    unit,
    unitDisplay: "long",
    maximumFractionDigits: 1,
  }).format(seconds / length);
}

/** Formats a size in bytes: 12 kB. */
export function formatBytes(bytes: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
  const power = bytes < 1 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(locale(), {
    style: "unit",
    unit: units[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** power);
}

/** Formats a timestamp in the reader's time zone: 22 Nov 2026, 10:30. */
export const formatExact = (at: string): string =>
  new Intl.DateTimeFormat(locale(), DAY_AND_MINUTE).format(new Date(at));

/** Formats a timestamp with its second and zone, for titles: 22 Nov 2026, 10:30:05 CET. */
export const formatPrecise = (at: string): string =>
  new Intl.DateTimeFormat(locale(), {
    ...DAY_AND_MINUTE,
    second: "2-digit",
    timeZoneName: "short",
  }).format(new Date(at));

/** Formats a day in the reader's time zone: 22 Nov 2026. */
export const formatDay = (at: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(new Date(at));

/** Formats a day and time in the reader's time zone: Monday, 22 Nov 2026 at 10:30. */
export const formatDayTime = (at: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "full", timeStyle: "short" }).format(new Date(at));

const DAY_AND_MINUTE = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
} as const;

/** Formats a time of today as 14:03, and any other as a date with the time. */
export const formatNear = (at: string, now: number): string =>
  new Date(at).toDateString() === new Date(now).toDateString() ? formatTime(at) : formatExact(at);

/** Formats the time of day in the reader's time zone: 14:03. */
export const formatTime = (at: string): string =>
  new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit" }).format(new Date(at));

const STEPS = [
  { unit: "second", seconds: 1, upTo: 60 },
  { unit: "minute", seconds: 60, upTo: 3_600 },
  { unit: "hour", seconds: 3_600, upTo: 86_400 },
  { unit: "day", seconds: 86_400, upTo: 30 * 86_400 },
] as const;

/** Formats a timestamp relative to now, or as a date if it is a month away. */
export function formatRelative(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1_000);
  const step = STEPS.find(({ upTo }) => Math.abs(seconds) < upTo);
  const language = locale();
  if (!step) return formatDay(at);
  const count = Math.trunc(seconds / step.seconds);
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(count, step.unit);
}

/** Selects the singular or plural: "1 mail", "2 mails". */
export const plural = (count: number, one: string, other: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : other}`;
