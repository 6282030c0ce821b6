import { sql, type SQL } from "drizzle-orm";
import { METADATA, type Comparison, type Term } from "./condition.ts";
import { COMPARED, momentBounds } from "./compare-sql.ts";
import { textForms } from "./text-forms.ts";
import { momentOf, numberOf } from "./times.ts";
import { matchesPattern } from "./pattern-sql.ts";

/**
 * Returns the condition that a name of the metadata has a value `v` that fits, or a list with one.
 * A name is compared as text and never becomes a path. It reads no row but the subscriber's.
 */
function hasValue(field: string, fits: SQL): SQL {
  const key = field.slice(METADATA.length);
  return sql`exists (select 1 from (
    select iif(m.type = 'array', e.type, m.type) as type, iif(m.type = 'array', e.value, m.value) as value
    from json_each(subscribers.metadata) m, json_each(iif(m.type = 'array', m.value, '[null]')) e
    where m.key = ${key}) v where ${fits})`;
}

/** Returns the condition of a term on the metadata: 0 or 1, and never null. */
export function metadataSql({ field, op, values }: Term): SQL {
  const [value = ""] = values;
  switch (op) {
    case "is":
      return hasValue(field, isOneOf(values));
    case "exists":
      return hasValue(field, sql`v.type <> 'null' and v.value <> ''`);
    case "begins":
    case "ends":
    case "contains":
      return hasValue(
        field,
        sql`v.type = 'text' and ${matchesPattern(sql`lower(v.value)`, op, textForms(value))}`,
      );
    case "within":
      return sql`0`; // `makeTerm` makes none
    default:
      return hasValue(field, comparedSql(op, value));
  }
}

/**
 * A text in any case (text-forms.ts); a number by its value, whether the metadata holds it as a
 * number or as the same text; `true` and `false`.
 */
function isOneOf(values: readonly string[]): SQL {
  const numbers = values.map(numberOf).filter((number) => number !== undefined);
  const forms = JSON.stringify([...values.flatMap(textForms), ...numbers]);
  return sql`case v.type when 'text' then lower(v.value) when 'true' then 'true' when 'false' then 'false'
    when 'integer' then cast(v.value as real) when 'real' then v.value end
    in (select value from json_each(${forms}))`;
}

/** The number of `v`, also of a text that is one; null for any other value. */
const NUMBER_OF_V = sql`case v.type when 'integer' then cast(v.value as real) when 'real' then v.value
  when 'text' then case when json_valid(v.value) then case when json_type(v.value) in ('integer', 'real')
    then cast(v.value as real) end end end`;

/** The time of `v` in milliseconds: a text that begins with a day; null for any other value. */
const TIME_OF_V = sql`case when v.type = 'text' and v.value glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'
  then round(unixepoch(v.value, 'subsec') * 1000) end`;

function comparedSql(op: Comparison, text: string): SQL {
  const moment = momentOf(text);
  if (moment) return momentBounds(TIME_OF_V, op, moment);
  return sql`${NUMBER_OF_V} ${COMPARED[op]} ${numberOf(text) ?? null}`;
}
