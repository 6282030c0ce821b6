import type { ProjectRow } from "../access/index.ts";
import { audienceSettingsOf } from "../projects/index.ts";
import { formatCondition, joined, parseFixed, type Condition } from "../segments/index.ts";

/**
 * Returns the frequency cap of a project as a condition; undefined without
 * `min_days_between_broadcasts`.
 */
function notTooRecent(project: ProjectRow): Condition | undefined {
  const { minDaysBetweenBroadcasts: days } = audienceSettingsOf(project);
  if (days === 0) return undefined;
  return { not: { field: "mailed", op: "within", values: [`${days}d`] } };
}

const RULES_ALONE = /^not mailed:\d+d(?: and not mailed:\d+d)*$/u;

/**
 * Returns the condition to copy from a broadcast that was never a draft, without frequency caps:
 * the copy's start adds the cap of its own time. Null if the condition consists only of caps.
 */
export const withoutRules = (where: string | null): string | null =>
  where !== null && RULES_ALONE.test(where) ? null : where;

/**
 * Returns a condition with the project's frequency cap. Null for all subscribers. If an earlier
 * start has added a cap, the stricter of both stays, so the condition does not grow with each
 * start.
 */
export function leaveOutMailed(project: ProjectRow, where: string | null): string | null {
  const rule = notTooRecent(project);
  if (!rule) return where;
  if (where === null) return formatCondition(rule);
  const condition = parseFixed(where);
  const parts = "and" in condition ? condition.and : [condition];
  const days = daysOf(parts.at(-1));
  if (days >= daysOf(rule)) return where;
  const others = days > 0 ? parts.slice(0, -1) : parts;
  return formatCondition(joined("and", [...others, rule]));
}

/** Returns the days of a frequency cap; 0 for any other condition. */
function daysOf(condition: Condition | undefined): number {
  const [, days = "0"] = condition ? (RULE.exec(formatCondition(condition)) ?? []) : [];
  return Number(days);
}

const RULE = /^not mailed:(\d+)d$/u;
