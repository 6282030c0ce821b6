import {
  EVENT,
  EVENT_DATA,
  isTerm,
  joined,
  METADATA,
  type Condition,
  type Operator,
} from "../../../../src/services/segments/condition.ts";
import { formatCondition } from "../../../../src/services/segments/format-condition.ts";
import { parseText } from "../../../../src/services/segments/parse-text.ts";

/** One rule of the builder. Without values it is unfinished, and no part of the condition. */
export interface Rule {
  key: string;
  /** Empty until one is chosen. */
  field: string;
  op: Operator;
  isNot: boolean;
  values: string[];
}

/** Whether all, any or none of the parts of a group must be true. */
export const JOINS = ["all", "any", "none"] as const;
type Join = (typeof JOINS)[number];

export interface Group {
  key: string;
  join: Join;
  parts: Part[];
}

export type Part = Rule | Group;

export const isGroup = (part: Part): part is Group => "join" in part;

let made = 0;
const newKey = () => `${(made += 1)}`;

export const newRule = (): Rule => ({
  key: newKey(),
  field: "",
  op: "is",
  isNot: false,
  values: [],
});

export const newGroup = (join: Join, parts: Part[]): Group => ({ key: newKey(), join, parts });

/** Returns the rules of a condition as text. Throws an AppError for an invalid text. */
export function treeOf(text: string): Group {
  if (text.trim() === "") return newGroup("all", []);
  const part = partOf(parseText(text), false);
  return isGroup(part) ? part : newGroup("all", [part]);
}

/** Moves each `not` to the rules, or to a group of which none must be true. */
function partOf(condition: Condition, isNot: boolean): Part {
  if (isTerm(condition)) return { ...condition, key: newKey(), isNot };
  if ("not" in condition) return partOf(condition.not, !isNot);
  if ("and" in condition)
    return newGroup(
      isNot ? "any" : "all",
      condition.and.map((part) => partOf(part, isNot)),
    );
  return newGroup(
    isNot ? "none" : "any",
    condition.or.map((part) => partOf(part, false)),
  );
}

/** Returns the text of the finished rules; empty if there is none. */
export function textOf(group: Group): string {
  const condition = conditionOf(group);
  return condition ? formatCondition(condition) : "";
}

function conditionOf(part: Part): Condition | undefined {
  if (!isGroup(part)) return isFinished(part) ? termOf(part) : undefined;
  const parts = part.parts.map(conditionOf).filter((one) => one !== undefined);
  if (parts.length === 0) return undefined;
  if (part.join === "none") return { not: joined("or", parts) };
  return joined(part.join === "all" ? "and" : "or", parts);
}

/** The beginnings of fields whose name the user types. */
export const PREFIXES: readonly string[] = [METADATA, EVENT, EVENT_DATA];

const isFinished = ({ field, op, values }: Rule) =>
  field !== "" && !PREFIXES.includes(field) && (op === "exists" || values.length > 0);

function termOf({ field, op, values, isNot }: Rule): Condition {
  const term = { field, op, values };
  return isNot ? { not: term } : term;
}
