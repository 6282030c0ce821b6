/** A condition on a subscriber. Its JSON form is the same. */
export type Condition = { and: Condition[] } | { or: Condition[] } | { not: Condition } | Term;

/**
 * One comparison. `field` is a name of FIELDS, `metadata.` followed by a name in the metadata,
 * `event:` followed by the name of an event, or `event.` followed by a name in the data of the event
 * that started a run. `is` is true for any of its values, `exists` has no value, and the other
 * operators have one. A comparison of a number of events may also have a span.
 */
export interface Term {
  field: string;
  op: Operator;
  values: string[];
}

export const COMPARISONS = ["<", "<=", ">", ">="] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const OPERATORS = [
  "is",
  "begins",
  "ends",
  "contains",
  "exists",
  "within",
  ...COMPARISONS,
] as const;
export type Operator = (typeof OPERATORS)[number];

/** The prefix of a metadata field. */
export const METADATA = "metadata.";

/** The prefixes of the number of events of a name, and of the data of the event of a run. */
export const EVENT = "event:";
export const EVENT_DATA = "event.";

const TEXT_OPERATORS = ["is", "begins", "ends", "contains"] as const;

/** The fields other than metadata, and their operators. */
export const FIELDS: ReadonlyMap<string, readonly Operator[]> = new Map<string, Operator[]>([
  ["status", ["is"]],
  ["tag", ["is"]],
  ["topic", ["is"]],
  ["import", ["is"]],
  ["source", ["is", "exists"]],
  ["email", [...TEXT_OPERATORS]],
  ["name", [...TEXT_OPERATORS, "exists"]],
  ["created", ["within", ...COMPARISONS]],
  ["opened", ["within", "exists", ...COMPARISONS]],
  ["clicked", ["within", "exists", ...COMPARISONS]],
  ["mailed", ["within"]],
]);

/** The operators of a field in the metadata, and in the data of an event. */
export const METADATA_OPERATORS: readonly Operator[] = [
  ...TEXT_OPERATORS,
  "exists",
  ...COMPARISONS,
];

const EVENT_OPERATORS: readonly Operator[] = ["exists", "within", ...COMPARISONS];

/** Returns the operators of a field; undefined if there is no such field. */
export function operatorsOf(field: string): readonly Operator[] | undefined {
  if (field.startsWith(EVENT)) return EVENT_OPERATORS;
  const isJson = field.startsWith(METADATA) || field.startsWith(EVENT_DATA);
  return isJson ? METADATA_OPERATORS : FIELDS.get(field);
}

/**
 * The limits of a condition; our own choice. A D1 statement accepts 100 parameters, and a term has
 * at most three. SQLite accepts expressions of up to 100 levels.
 */
export const MOST_CHARACTERS = 2_000;
export const MOST_TERMS = 20;
export const MOST_LEVELS = 10;
export const MOST_VALUES = 50;
export const MOST_VALUE_CHARACTERS = 200;
/** The highest number of events to compare with; a term reads one more of a subscriber at most. */
export const MOST_EVENTS = 1_000;

export interface Limits {
  characters: number;
  terms: number;
  levels: number;
}

/** The limits of a condition written by a user. */
export const WRITTEN: Limits = {
  characters: MOST_CHARACTERS,
  terms: MOST_TERMS,
  levels: MOST_LEVELS,
};

/**
 * The limits of the condition of a broadcast. The service may have replaced each span by a longer
 * absolute time and added the frequency cap; neither may make a retry impossible.
 */
export const FIXED: Limits = {
  characters: MOST_CHARACTERS + 1_000,
  terms: MOST_TERMS + 1,
  levels: MOST_LEVELS + 1,
};

/** Returns true for a comparison, and false for `and`, `or` and `not`. */
export const isTerm = (condition: Condition): condition is Term => "field" in condition;

/**
 * Joins conditions. Adds no level for a single condition, or for conditions joined in the same way.
 */
export function joined(kind: "and" | "or", conditions: Condition[]): Condition {
  const flat = conditions.flatMap((one) => partsOf(one, kind) ?? [one]);
  const [first] = flat;
  if (first && flat.length === 1) return first;
  return kind === "and" ? { and: flat } : { or: flat };
}

function partsOf(condition: Condition, kind: "and" | "or"): Condition[] | undefined {
  if (kind === "and") return "and" in condition ? condition.and : undefined;
  return "or" in condition ? condition.or : undefined;
}

/** Returns the comparisons of a condition. */
export function termsOf(condition: Condition): Term[] {
  if (isTerm(condition)) return [condition];
  if ("not" in condition) return termsOf(condition.not);
  return ("and" in condition ? condition.and : condition.or).flatMap(termsOf);
}

/** Returns the number of terms, and of bracket levels that the text of a condition may need. */
export function sizeOf(condition: Condition): { terms: number; levels: number } {
  if (isTerm(condition)) return { terms: 1, levels: 0 };
  const parts =
    "not" in condition ? [condition.not] : "and" in condition ? condition.and : condition.or;
  const sizes = parts.map(sizeOf);
  return {
    terms: sizes.reduce((sum, { terms }) => sum + terms, 0),
    levels: 1 + Math.max(...sizes.map(({ levels }) => levels)),
  };
}
