import { languageChoice } from "../text/language.ts";

/** Formats a number as the reader writes it: 12,345. */
export const formatNumber = (value: number): string =>
  new Intl.NumberFormat(languageChoice.read()).format(value);

/** Formats a share of 100 with one digit at most: 12.3 %. */
export const formatPercent = (percent: number): string =>
  new Intl.NumberFormat(languageChoice.read(), {
    style: "percent",
    maximumFractionDigits: 1,
  }).format(percent / 100);

/** Formats an amount of US dollars: $0.01. */
export const formatDollars = (amount: number): string =>
  new Intl.NumberFormat(languageChoice.read(), { style: "currency", currency: "USD" }).format(
    amount,
  );

/** Formats how long something took, in its largest unit: 1 second, 2.5 hours. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  const { unit, seconds: length } = STEPS.findLast((step) => step.seconds <= seconds) ?? STEPS[0];
  return new Intl.NumberFormat(languageChoice.read(), {
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
  return new Intl.NumberFormat(languageChoice.read(), {
    style: "unit",
    unit: units[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** power);
}

/** Formats a moment in the reader's zone with its zone: 22 Nov 2026, 10:30:05 CET. */
export const formatExact = (at: string): string =>
  new Intl.DateTimeFormat(languageChoice.read(), {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  }).format(new Date(at));

const STEPS = [
  { unit: "second", seconds: 1, upTo: 60 },
  { unit: "minute", seconds: 60, upTo: 3_600 },
  { unit: "hour", seconds: 3_600, upTo: 86_400 },
  { unit: "day", seconds: 86_400, upTo: 30 * 86_400 },
] as const;

/** Formats a moment by its distance from now, and as a date when it is a month away. */
export function formatRelative(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1_000);
  const step = STEPS.find(({ upTo }) => Math.abs(seconds) < upTo);
  const language = languageChoice.read();
  if (!step) return new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(new Date(at));
  const count = Math.trunc(seconds / step.seconds);
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(count, step.unit);
}

/** Picks the word for a number: "1 mail", "2 mails". */
export const plural = (count: number, one: string, other: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : other}`;
