import { parseCondition } from "./compile.ts";
import type { Condition } from "./condition.ts";
import { formatCondition } from "./format-condition.ts";
import { spanMs } from "./times.ts";

/**
 * Returns a condition whose spans before `now`, in milliseconds, are moments, so that it means the
 * same at any time. Spans of mailings stay spans: no comparison says the same.
 */
export const fixSpans = (where: string, now: number): string =>
  formatCondition(fixed(parseCondition(where), now));

function fixed(condition: Condition, now: number): Condition {
  if ("not" in condition) return { not: fixed(condition.not, now) };
  if ("and" in condition) return { and: condition.and.map((part) => fixed(part, now)) };
  if ("or" in condition) return { or: condition.or.map((part) => fixed(part, now)) };
  const { field, op, values } = condition;
  if (op !== "within" || field === "mailed") return condition;
  const moments = values.map((span) => new Date(now - (spanMs(span) ?? 0)).toISOString());
  return { field, op: ">=", values: moments };
}
