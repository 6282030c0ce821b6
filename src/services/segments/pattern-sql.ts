import { sql, type SQL } from "drizzle-orm";

/**
 * Returns the condition that a text matches one of some forms. It compares without a pattern of LIKE,
 * so no character of a form has a meaning. Null matches nothing.
 */
export function matchesPattern(
  text: SQL,
  op: "begins" | "ends" | "contains",
  forms: readonly string[],
): SQL {
  const matches = {
    begins: sql`substr(${text}, 1, length(form.value)) = form.value`,
    ends: sql`substr(${text}, -length(form.value)) = form.value`,
    contains: sql`instr(${text}, form.value) > 0`,
  };
  return sql`exists (select 1 from json_each(${JSON.stringify(forms)}) form where ${matches[op]})`;
}
