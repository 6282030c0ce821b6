import { EVENT, METADATA, type Operator } from "../../../../src/services/segments/condition.ts";
import type { Rule } from "./condition-tree.ts";

/** What the values of a field are. `activity` is a time that may never come. */
export type Kind = "choice" | "text" | "number" | "date" | "activity" | "mailed" | "event";

/** A field that a rule can name. */
export interface RuleField {
  name: string;
  label: string;
  kind: Kind;
  /** The values to choose from; without any, they are typed. */
  choices: readonly Choice[];
}

export interface Choice {
  value: string;
  label: string;
  /** Another value for the same, such as the id of a topic. */
  id?: string;
}

/** An operator of a rule, with or without `not`. */
export type OperatorName = Operator | `not-${Operator}`;

const TEXT: OperatorName[] = [
  "is",
  "not-is",
  "contains",
  "not-contains",
  "begins",
  "ends",
  "exists",
  "not-exists",
];
const COMPARED: OperatorName[] = ["<", "<=", ">", ">="];

/** The operators that the builder offers for the kinds of fields. */
const OPERATORS: Record<Kind, OperatorName[]> = {
  choice: ["is", "not-is"],
  text: TEXT,
  number: ["is", "not-is", ...COMPARED, "exists", "not-exists"],
  date: [...COMPARED, "exists", "not-exists"],
  activity: ["within", "not-within", "exists", "not-exists", ...COMPARED],
  mailed: ["within", "not-within"],
  event: [">=", "<=", "within", "not-within", "exists", "not-exists"],
};

export const operatorName = ({ op, isNot }: Pick<Rule, "op" | "isNot">): OperatorName =>
  isNot ? `not-${op}` : op;

/** Returns the operators to choose from, with the present one of a rule. */
export function operatorsOf(field: RuleField, rule: Rule): OperatorName[] {
  const name = operatorName(rule);
  const offered = offeredBy(field);
  return offered.includes(name) ? offered : [...offered, name];
}

function offeredBy({ name, kind }: RuleField): OperatorName[] {
  const names = OPERATORS[kind];
  if (name === "created") return names.filter((one) => !one.endsWith("exists"));
  if (name === "email") return names.filter((one) => !one.endsWith("exists"));
  const canLack = name.startsWith(METADATA) || name === "source";
  return kind === "choice" && canLack ? [...names, "exists", "not-exists"] : names;
}

/** Returns a rule with another field, and the first operator of that field. */
export function withField(rule: Rule, field: RuleField): Rule {
  const [name = "is"] = offeredBy(field);
  return withOperator({ ...rule, field: field.name, values: [] }, name);
}

/** Returns a rule with another operator, which keeps its values if they are of the same form. */
export function withOperator(rule: Rule, name: OperatorName): Rule {
  const isNot = name.startsWith("not-");
  const op = (isNot ? name.slice("not-".length) : name) as Operator; // a name has no other form
  return { ...rule, op, isNot, values: valuesFor(op, rule) };
}

function valuesFor(op: Operator, { field, op: before, values }: Rule): string[] {
  if (field.startsWith(EVENT) && op !== "exists" && op !== "within")
    return /^[<>]/.test(before) && values.length > 0 ? values : ["1", "30d"];
  if (op === "within") return before === "within" && values.length > 0 ? values : ["30d"];
  if (op === "exists" || before === "within") return [];
  return op === "is" ? values : values.slice(0, 1);
}
