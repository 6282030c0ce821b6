import { AppError } from "../../../../src/errors.ts";
import { isGroup, treeOf, type Group, type Part, type Rule } from "./condition-tree.ts";
import { operatorName, type RuleField } from "./field-kinds.ts";
import { useOperators } from "./use-operators.ts";
import type { RuleFields } from "./use-rule-fields.ts";
import { useSegmentsText } from "./use-segments-text.ts";

interface RuleWordsProps {
  /** The condition as text. */
  where: string;
  fields: RuleFields;
}

/** A condition in words; as it is written if this version cannot read it. */
export function RuleWords({ where, fields }: RuleWordsProps) {
  const text = useSegmentsText();
  const operators = useOperators();
  const sayRule = (rule: Rule) => {
    const field = fields.find(rule.field);
    const values =
      field.kind === "event" && rule.op !== "within"
        ? sayCount(rule.values)
        : rule.values.map((value) => sayValue(value, rule, field)).join(`, `);
    return [field.label, operators(field.kind)[operatorName(rule)], values]
      .filter(Boolean)
      .join(" ");
  };
  const sayCount = ([count, span]: string[]) => {
    if (count === undefined) return "";
    if (span === undefined) return `${count} ${text.times}`;
    return `${count} ${text.timesInTheLast} ${saySpan(span) ?? span}`;
  };
  const saySpan = (value: string) => {
    const [, amount, unit] = /^(\d+)([hdw])$/.exec(value) ?? [];
    return unit === "h" || unit === "d" || unit === "w"
      ? `${amount} ${text.units[unit]}`
      : undefined;
  };
  const sayValue = (value: string, { op }: Rule, { choices }: RuleField) => {
    const chosen = choices.find((choice) => choice.value === value || choice.id === value);
    return (op === "within" ? saySpan(value) : chosen?.label) ?? value;
  };
  const sayGroup = ({ join, parts }: Group): string => {
    const words = parts.map(sayPart).join(` ${text.joinWords[join]} `);
    return join === "none" ? text.noneOf(words) : words;
  };
  const sayPart = (part: Part): string => (isGroup(part) ? `(${sayGroup(part)})` : sayRule(part));
  const group = readTree(where);
  return group ? <span>{sayGroup(group)}</span> : <code className="wrap-anywhere">{where}</code>;
}

function readTree(where: string): Group | undefined {
  try {
    return treeOf(where);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
