import { parseFixed } from "./compile.ts";
import type { Condition } from "./condition.ts";
import { formatCondition } from "./format-condition.ts";
import { spanMs } from "./times.ts";

/**
 * Replaces the spans of a condition by the absolute times at which they begin, relative to `now`
 * (in milliseconds), so that its meaning does not change over time. Spans of `mailed` stay, because
 * no other comparison is equivalent.
 */
export const fixSpans = (where: string, now: number): string =>
  formatCondition(fixed(parseFixed(where), now));

function fixed(condition: Condition, now: number): Condition {
  if ("not" in condition) return { not: fixed(condition.not, now) };
  if ("and" in condition) return { and: condition.and.map((part) => fixed(part, now)) };
  if ("or" in condition) return { or: condition.or.map((part) => fixed(part, now)) };
  const { field, op, values } = condition;
  if (op !== "within" || field === "mailed") return condition;
  const moments = values.map((span) => new Date(now - (spanMs(span) ?? 0)).toISOString());
  return { field, op: ">=", values: moments };
}
