import type { SQL } from "drizzle-orm";
import { badRequest } from "../../errors.ts";
import { checkJson } from "./check-json.ts";
import { MOST_CHARACTERS, MOST_LEVELS, MOST_TERMS, sizeOf, type Condition } from "./condition.ts";
import { conditionSql, type Setting } from "./condition-sql.ts";
import { formatCondition } from "./format-condition.ts";
import { parseText } from "./parse-text.ts";

/**
 * Parses a condition from its one-line text or its JSON form. Throws bad_request, which names the
 * place of the error.
 */
export function parseCondition(where: unknown): Condition {
  const condition = typeof where === "string" ? parseText(where) : checkJson(where);
  const { terms, levels } = sizeOf(condition);
  if (terms > MOST_TERMS) throw badRequest(`at most ${MOST_TERMS} comparisons`);
  if (levels > MOST_LEVELS) throw badRequest(`at most ${MOST_LEVELS} levels`);
  if (formatCondition(condition).length > MOST_CHARACTERS)
    throw badRequest(`at most ${MOST_CHARACTERS} characters when written out`);
  return condition;
}

/**
 * Compiles the one-line text of a condition to SQL on a row of `subscribers` (condition-sql.ts).
 * Spans count back from `now`. `range` is the range of subscribers that the query looks at. Throws
 * bad_request.
 */
export function compileWhere(
  projectId: string,
  where: string,
  now: number,
  range?: Setting["range"],
): SQL {
  return conditionSql(parseCondition(where), { projectId, now, range });
}
