import type { SQL } from "drizzle-orm";
import { refusal } from "../../errors.ts";
import { conditionFault } from "../../messages/conditions.ts";
import { checkJson } from "./check-json.ts";
import { FIXED, sizeOf, WRITTEN, type Condition, type Limits } from "./condition.ts";
import { conditionSql, type Setting } from "./condition-sql.ts";
import { refuseEventData } from "./event-terms.ts";
import { formatCondition } from "./format-condition.ts";
import { parseText } from "./parse-text.ts";

/**
 * Parses a condition from its one-line text or its JSON form. Throws 400 with the position of the
 * error.
 */
export const parseCondition = (where: unknown): Condition =>
  refuseEventData(parseOfAutomation(where));

/** Parses a condition of an automation, which may name data of the event that started the run. */
export const parseOfAutomation = (where: unknown): Condition =>
  withinLimits(typeof where === "string" ? parseText(where) : checkJson(where), WRITTEN);

/** Parses the one-line text of the condition of a broadcast. Throws 400. */
export const parseFixed = (where: string): Condition =>
  withinLimits(parseText(where, FIXED), FIXED);

function withinLimits(condition: Condition, most: Limits): Condition {
  const { terms, levels } = sizeOf(condition);
  if (terms > most.terms) throw over("too_many_comparisons", most.terms);
  if (levels > most.levels) throw over("too_many_levels", most.levels);
  if (formatCondition(condition).length > most.characters)
    throw over("condition_too_long_written_out", most.characters);
  return condition;
}

const over = (
  code: "too_many_comparisons" | "too_many_levels" | "condition_too_long_written_out",
  max: number,
) => refusal("invalid_condition", { reason: conditionFault(code, { max }) });

/**
 * Compiles the condition of a broadcast to SQL on a row of `subscribers` (condition-sql.ts). Time
 * spans are relative to `now`. `range` is the range of subscribers that the query reads, and
 * `event` the data of the event that started a run. Throws 400.
 */
export function compileWhere(
  projectId: string,
  where: string,
  now: number,
  range?: Setting["range"],
  event?: SQL,
): SQL {
  return conditionSql(parseFixed(where), { projectId, now, range, event });
}
