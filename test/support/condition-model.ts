/* Conditions on subscribers evaluated in memory, after the words of API reference §12.9 alone. */
import type { Condition } from "../../src/services/segments/index.ts";

export interface ModelSubscriber {
  status: string;
  tags: string[];
  /** The names of the topics with consent. */
  topics: string[];
  email: string;
  name: string;
  metadata: Record<string, unknown>;
  createdAt: number;
  openedAt: number | null;
  clickedAt: number | null;
  mailedAt: number[];
}

const HOURS: Record<string, number> = { h: 1, d: 24, w: 168 };
const hours = (span: string) => Number(span.slice(0, -1)) * (HOURS[span.slice(-1)] ?? Number.NaN);

/** Letters of ASCII in any case; others as given, all lower, all upper, or with a capital. */
function sameForms(given: string): string[] {
  const lower = given.toLowerCase();
  const capital = lower.replace(/^./u, (first) => first.toUpperCase());
  return [given, lower, given.toUpperCase(), capital].map(ascii);
}
const ascii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function textFits(text: string, op: string, values: string[]): boolean {
  const forms = values.flatMap(sameForms);
  const own = ascii(text);
  if (op === "is") return forms.includes(own);
  if (op === "begins") return forms.some((form) => own.startsWith(form));
  if (op === "ends") return forms.some((form) => own.endsWith(form));
  return forms.some((form) => own.includes(form));
}

const NUMBER = /^\s*-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/;
const PLAIN_NUMBER = /^-?\d{1,15}(?:\.\d{1,10})?$/;
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{3}))?)?(Z|[+-]\d\d:\d\d)?)?$/;

function timeOf(text: string): number | undefined {
  const found = TIME.exec(text);
  if (!found) return undefined;
  const [, year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0] =
    found.map(Number);
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const at = Date.UTC(year, month - 1, day, hour || 0, minute || 0, second || 0, ms || 0);
  const [, sign = "+", zoneHours = "0", zoneMinutes = "0"] =
    /^([+-])(\d\d):(\d\d)$/.exec(found[8] ?? "") ?? [];
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  return sign === "+" ? at - zone : at + zone;
}

function compare(one: number, op: string, other: number): boolean {
  if (op === "<") return one < other;
  if (op === "<=") return one <= other;
  return op === ">" ? one > other : one >= other;
}

/** A day counts as a whole. */
function comparesTime(at: number, op: string, value: string): boolean {
  const from = timeOf(value) ?? Number.NaN;
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return compare(at, op, from);
  return op === "<" || op === ">=" ? compare(at, op, from) : compare(at, op, from + 86_399_999);
}

function metadataFits(value: unknown, op: string, values: string[]): boolean {
  if (Array.isArray(value))
    return value.some((one) => !Array.isArray(one) && scalarFits(one, op, values));
  return scalarFits(value, op, values);
}

function scalarFits(value: unknown, op: string, values: string[]): boolean {
  const [given = ""] = values;
  if (op === "exists") return typeof value !== "object" && value !== ""; // null is an object, too
  if (op === "is") {
    if (typeof value === "string") return textFits(value, op, values);
    if (typeof value === "boolean") return textFits(String(value), op, values);
    return (
      typeof value === "number" &&
      values.some((one) => PLAIN_NUMBER.test(one) && Number(one) === value)
    );
  }
  if (["begins", "ends", "contains"].includes(op))
    return typeof value === "string" && textFits(value, op, values);
  if (timeOf(given) !== undefined) {
    const at = typeof value === "string" ? timeOf(value) : undefined;
    return at !== undefined && comparesTime(at, op, given);
  }
  const number = typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
  return typeof number === "number" && compare(number, op, Number(given));
}

function timeFits(at: number | null, op: string, value: string, now: number): boolean {
  if (at === null) return false;
  if (op === "exists") return true;
  return op === "within" ? at >= now - hours(value) * 3_600_000 : comparesTime(at, op, value);
}

/** Tells whether a subscriber fits a condition. */
export function fits(condition: Condition, who: ModelSubscriber, now: number): boolean {
  if ("and" in condition) return condition.and.every((part) => fits(part, who, now));
  if ("or" in condition) return condition.or.some((part) => fits(part, who, now));
  if ("not" in condition) return !fits(condition.not, who, now);
  const { field, op, values } = condition;
  const [value = ""] = values;
  const source = typeof who.metadata["source"] === "string" ? who.metadata["source"] : "";
  switch (field) {
    case "status":
      return values.includes(who.status);
    case "tag":
      return values.some((tag) => who.tags.includes(tag));
    case "topic":
      return who.topics.some((name) => textFits(name, "is", values));
    case "source":
      return op === "exists" ? source !== "" : values.includes(source);
    case "email":
      return op === "is"
        ? values.includes(who.email)
        : op === "begins"
          ? who.email.startsWith(value)
          : op === "ends"
            ? who.email.endsWith(value)
            : who.email.includes(value);
    case "name":
      return op === "exists" ? who.name !== "" : textFits(who.name, op, values);
    case "mailed":
      return who.mailedAt.some((at) => timeFits(at, op, value, now));
    case "created":
      return timeFits(who.createdAt, op, value, now);
    case "opened":
      return timeFits(who.openedAt, op, value, now);
    case "clicked":
      return timeFits(who.clickedAt, op, value, now);
    default: {
      const key = field.slice("metadata.".length);
      return Object.hasOwn(who.metadata, key) && metadataFits(who.metadata[key], op, values);
    }
  }
}
