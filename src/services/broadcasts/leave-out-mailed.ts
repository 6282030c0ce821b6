import type { ProjectRow } from "../access/index.ts";
import { audienceSettingsOf } from "../projects/index.ts";
import { formatCondition, parseCondition, type Condition } from "../segments/index.ts";

/**
 * Returns the condition that a subscriber was not mailed too recently for the project. Undefined
 * without `min_days_between_broadcasts`.
 */
export function notTooRecent(project: ProjectRow): Condition | undefined {
  const { minDaysBetweenBroadcasts: days } = audienceSettingsOf(project);
  if (days === 0) return undefined;
  return { not: { field: "mailed", op: "within", values: [`${days}d`] } };
}

const RULES_ALONE = /^not mailed:\d+d(?: and not mailed:\d+d)*$/u;

/**
 * Returns the condition of a broadcast that was no draft, for a copy, whose start adds the rule of
 * its own time. Null if the rules of starts are all of it.
 */
export const withoutRules = (where: string | null): string | null =>
  where !== null && RULES_ALONE.test(where) ? null : where;

/**
 * Returns a condition that leaves out subscribers who were mailed too recently for the project.
 * Null for everybody. Throws bad_request if the result is too long.
 */
export function leaveOutMailed(project: ProjectRow, where: string | null): string | null {
  const rule = notTooRecent(project);
  if (!rule) return where;
  const text = formatCondition(rule);
  if (where === null) return text;
  if (where === text || where.endsWith(` and ${text}`)) return where;
  return formatCondition(parseCondition({ and: [parseCondition(where), rule] }));
}
