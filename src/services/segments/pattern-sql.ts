import { sql, type SQL } from "drizzle-orm";

/**
 * Returns the condition that a text matches one of several forms. It compares without a LIKE
 * pattern, so no character of a form has a special meaning. Null matches nothing. With a single
 * form, the condition reads no row and uses `bound` if given.
 */
export function matchesPattern(
  text: SQL,
  op: "begins" | "ends" | "contains",
  forms: readonly string[],
  bound?: SQL,
): SQL {
  const [only] = forms;
  if (only !== undefined && forms.length === 1)
    return matches(text, op, bound ?? sql`${only}`, sql.raw(String(Array.from(only).length)));
  return sql`exists (select 1 from json_each(${JSON.stringify(forms)}) form
    where ${matches(text, op, sql`form.value`, sql`length(form.value)`)})`;
}

function matches(text: SQL, op: "begins" | "ends" | "contains", form: SQL, length: SQL): SQL {
  switch (op) {
    case "begins":
      return sql`substr(${text}, 1, ${length}) = ${form}`;
    case "ends":
      return sql`substr(${text}, -${length}) = ${form}`;
    case "contains":
      return sql`instr(${text}, ${form}) > 0`;
  }
}
