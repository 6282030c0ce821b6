import { sql, type SQL } from "drizzle-orm";
import type { Comparison, Term } from "./condition.ts";
import { COMPARED, momentBounds } from "./compare-sql.ts";
import { textForms } from "./text-forms.ts";
import { momentOf, numberOf } from "./times.ts";
import { matchesPattern } from "./pattern-sql.ts";

/** A value with its JSON type, as named by SQLite. */
interface Value {
  type: SQL;
  value: SQL;
}

const OWN: Value = { type: sql`own.type`, value: sql`own.value` };
const ENTRY: Value = { type: sql`entry.type`, value: sql`entry.value` };

/** The value in the condition, bound once for both places of use. */
const WANTED = sql`own.wanted`;

/** A field of a JSON object. */
interface Field {
  json: SQL;
  name: string;
}

/**
 * Returns the condition that a field has a matching value, or a list with a matching entry: 0 or 1. The name is quoted in the path, so it is not parsed further. `fits` may compare
 * with `WANTED`. The condition reads no row except the entries of a list.
 */
function hasValue(
  { json, name }: Field,
  fits: (value: Value) => SQL,
  wanted: string | number | null = null,
): SQL {
  const path = `$.${JSON.stringify(name)}`;
  return sql`coalesce((select case own.type
      when 'array' then exists (select 1 from json_each(own.value) entry where ${fits(ENTRY)})
      else ${fits(OWN)} end
    from (select json_type(${json}, place.path) as type, ${json} ->> place.path as value,
        place.wanted from (select ${path} as path, ${wanted === null ? sql`null` : wanted} as wanted) place) own), 0)`;
}

/** Returns the condition of a term on a field of a JSON object: 0 or 1, and never null. */
export function jsonTermSql(json: SQL, name: string, { op, values }: Term): SQL {
  const field = { json, name };
  const [given = ""] = values;
  switch (op) {
    case "is":
      return isOneOf(field, values);
    case "exists":
      return hasValue(
        field,
        ({ type, value }) => sql`(${type} not in ('null', 'object', 'array') and ${value} <> '')`,
      );
    case "begins":
    case "ends":
    case "contains": {
      const forms = textForms(given);
      return hasValue(
        field,
        ({ type, value }) =>
          sql`(${type} = 'text' and ${matchesPattern(sql`lower(${value})`, op, forms, WANTED)})`,
        forms.length === 1 ? forms[0] : null,
      );
    }
    case "within":
      return sql`0`; // `makeTerm` creates no such term
    default:
      return compares(field, op, given);
  }
}

/**
 * Returns the test for equality with one of these values. Text matches case-insensitively
 * (text-forms.ts). A number matches by value, whether the object contains it as a number or as
 * text. `true` and `false` match as well.
 */
function isOneOf(field: Field, values: readonly string[]): SQL {
  const numbers = values.map(numberOf).filter((number) => number !== undefined);
  const forms = values.flatMap(textForms);
  const [only] = forms;
  if (only !== undefined && forms.length === 1)
    return hasValue(field, isEqualTo(only, numbers[0]), only);
  const list = JSON.stringify([...forms, ...numbers]);
  return hasValue(
    field,
    ({ type, value }) => sql`case ${type} when 'text' then lower(${value})
    when 'true' then 'true' when 'false' then 'false'
    when 'integer' then cast(${value} as real) when 'real' then ${value} end
    in (select value from json_each(${list}))`,
  );
}

/** Returns the same for a single form, `WANTED`, without a list. */
function isEqualTo(form: string, number: number | undefined): (value: Value) => SQL {
  const bit = (isTrue: boolean) => sql.raw(isTrue ? "1" : "0");
  const equal = number === undefined ? sql`<> null` : sql.raw(`= ${number}`);
  return ({ type, value }) => sql`case ${type} when 'text' then lower(${value}) = ${WANTED}
    when 'true' then ${bit(form === "true")} when 'false' then ${bit(form === "false")}
    when 'integer' then cast(${value} as real) ${equal} when 'real' then ${value} ${equal} else 0 end`;
}

/** Returns the number in a value, including numeric text; null for any other value. */
const numberSql = ({ type, value }: Value): SQL => sql`case ${type}
  when 'integer' then cast(${value} as real) when 'real' then ${value}
  when 'text' then case when json_valid(${value}) then case when json_type(${value}) in ('integer', 'real')
    then cast(${value} as real) end end end`;

/** Returns the time in milliseconds of a text that starts with a date; null for any other value. */
const timeOfSql = ({ type, value }: Value): SQL => sql`case
  when ${type} = 'text' and ${value} glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'
  then round(unixepoch(${value}, 'subsec') * 1000) end`;

function compares(field: Field, op: Comparison, text: string): SQL {
  const moment = momentOf(text);
  if (moment) return hasValue(field, (value) => momentBounds(timeOfSql(value), op, moment));
  const number = numberOf(text) ?? null;
  return hasValue(field, (value) => sql`${numberSql(value)} ${COMPARED[op]} ${WANTED}`, number);
}
