import { refusal } from "../../errors.ts";
import { conditionFault } from "../../messages/conditions.ts";
import { faultOf } from "../../messages/faults.ts";
import type { Message } from "../../messages/message.ts";
import {
  joined,
  MOST_LEVELS,
  MOST_TERMS,
  OPERATORS,
  sizeOf,
  type Condition,
  type Operator,
} from "./condition.ts";
import { makeTerm } from "./make-term.ts";

/**
 * Validates a condition in its JSON form. Throws 400 with the path of the error, as in `and.1.not:
 * …`.
 */
export function checkJson(given: unknown): Condition {
  const condition = conditionOf(given, []);
  const { terms, levels } = sizeOf(condition);
  if (terms > MOST_TERMS) fail([], conditionFault("too_many_comparisons", { max: MOST_TERMS }));
  if (levels > MOST_LEVELS) fail([], TOO_DEEP);
  return condition;
}

function fail(path: readonly string[], fault: Message): never {
  const reason =
    path.length > 0 ? conditionFault("at_path", { path: path.join("."), fault }) : fault;
  throw refusal("invalid_condition", { reason });
}

const TOO_DEEP = conditionFault("too_many_levels", { max: MOST_LEVELS });
const FORM = conditionFault("wrong_form", {
  form: '{"and": […]}, {"or": […]}, {"not": …} or {"field", "op", "values"}',
});

function conditionOf(given: unknown, path: readonly string[]): Condition {
  if (path.length > 2 * MOST_LEVELS + 2) fail(path, TOO_DEEP);
  if (typeof given !== "object" || given === null || Array.isArray(given)) fail(path, FORM);
  const fields = new Map<string, unknown>(Object.entries(given));
  const [name = "", ...others] = fields.keys();
  if (fields.has("field")) return termOf(fields, path);
  if (others.length > 0) fail(path, FORM);
  const value = fields.get(name);
  if (name === "not") return { not: conditionOf(value, [...path, name]) };
  if ((name !== "and" && name !== "or") || !Array.isArray(value)) return fail(path, FORM);
  const at = [...path, name];
  if (value.length === 0 || value.length > MOST_TERMS)
    fail(at, conditionFault("conditions_out_of_range", { max: MOST_TERMS }));
  const parts = value.map((part: unknown, index) => conditionOf(part, [...at, String(index)]));
  return joined(name, parts);
}

function termOf(fields: ReadonlyMap<string, unknown>, path: readonly string[]): Condition {
  const [field, op, values = []] = ["field", "op", "values"].map((name) => fields.get(name));
  if (fields.size > (fields.has("values") ? 3 : 2)) fail(path, FORM);
  if (typeof field !== "string")
    fail([...path, "field"], faultOf("invalid_type", { expected: "a text" }));
  if (!isOperator(op))
    fail([...path, "op"], faultOf("not_in_list", { values: OPERATORS.join(", ") }));
  if (!isTexts(values))
    fail([...path, "values"], faultOf("invalid_type", { expected: "a list of strings" }));
  const made = makeTerm(field, op, values);
  return made.ok ? made.term : fail(path, made.fault);
}

const isOperator = (value: unknown): value is Operator =>
  (OPERATORS as readonly unknown[]).includes(value);

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");
