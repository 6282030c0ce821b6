import { SUBSCRIBER_STATUSES } from "../../db/schema/index.ts";
import { parseTag, TAG_RULE } from "../../lib/tag.ts";
import {
  COMPARISONS,
  FIELDS,
  METADATA,
  METADATA_OPERATORS,
  MOST_VALUE_CHARACTERS,
  MOST_VALUES,
  type Operator,
  type Term,
} from "./condition.ts";
import { LONGEST_MAILED_MS, LONGEST_SPAN_MS, momentOf, numberOf, spanMs } from "./times.ts";

/** A term, or the reason why there is none. */
export type MadeTerm = { ok: true; term: Term } | { ok: false; fault: string };

const UNREADABLE = /[\p{Cc}\p{Cs}]/u;
const STATUSES: readonly string[] = SUBSCRIBER_STATUSES;
const COMPARING: readonly string[] = COMPARISONS;

const no = (fault: string): MadeTerm => ({ ok: false, fault });

/**
 * Checks a comparison, and converts its values to the form in which they are compared and printed.
 */
export function makeTerm(field: string, op: Operator, given: readonly string[]): MadeTerm {
  const isMetadata = field.startsWith(METADATA);
  const operators = isMetadata ? METADATA_OPERATORS : FIELDS.get(field);
  if (!operators) return no(`there is no field ${field}`);
  if (!isReadable(field.slice(METADATA.length))) return no("the name has characters that none may");
  if (!operators.includes(op)) return no(missing(field, operators));
  if (op === "exists" ? given.length > 0 : given.length === 0 || (op !== "is" && given.length > 1))
    return no(op === "exists" ? `${field} takes no value here` : `${field} needs one value`);
  if (given.length > MOST_VALUES) return no(`at most ${MOST_VALUES} values`);
  const values: string[] = [];
  for (const text of given) {
    if (!isReadable(text))
      return no(
        `a value has at most ${MOST_VALUE_CHARACTERS} characters, and no control characters`,
      );
    const value = valueOf(field, op, text);
    if ("fault" in value) return no(value.fault);
    values.push(value.value);
  }
  return { ok: true, term: { field, op, values } };
}

const isReadable = (text: string) => text.length <= MOST_VALUE_CHARACTERS && !UNREADABLE.test(text);

function missing(field: string, operators: readonly Operator[]): string {
  if (operators.includes("within"))
    return operators.includes("<")
      ? `${field} takes a span such as ${field}:30d, or a day such as ${field}<2026-01-31`
      : `${field} takes a span such as ${field}:30d`;
  if (field.startsWith(METADATA)) return `${field} takes no span of time`;
  return `${field} takes only ${operators.includes("begins") ? "texts" : "whole values, as in " + field + ":value"}`;
}

type Value = { value: string } | { fault: string };

function valueOf(field: string, op: Operator, text: string): Value {
  if (op === "within") return spanOf(field, text);
  if (COMPARING.includes(op)) return comparedOf(field, text);
  if (field === "status")
    return STATUSES.includes(text)
      ? { value: text }
      : { fault: `status is one of ${STATUSES.join(", ")}` };
  if (field === "tag") {
    const tag = parseTag(text);
    return tag === undefined ? { fault: `a tag ${TAG_RULE}` } : { value: tag };
  }
  const isEmptyAllowed = field.startsWith(METADATA) && op === "is";
  if (text === "" && !isEmptyAllowed) return { fault: `${field} needs a value that is not empty` };
  return { value: field === "email" ? text.toLowerCase() : text };
}

function spanOf(field: string, text: string): Value {
  const span = text.toLowerCase();
  const length = spanMs(span);
  if (length === undefined)
    return { fault: `${field} takes a span of hours, days or weeks, such as 12h, 90d or 4w` };
  const [longest, words] =
    field === "mailed" ? [LONGEST_MAILED_MS, "90d"] : [LONGEST_SPAN_MS, "3650d"];
  return length > longest ? { fault: `the longest span of ${field} is ${words}` } : { value: span };
}

function comparedOf(field: string, text: string): Value {
  if (momentOf(text) || (field.startsWith(METADATA) && numberOf(text) !== undefined))
    return { value: text };
  const number = field.startsWith(METADATA) ? "a number, " : "";
  return { fault: `compare with ${number}a day such as 2026-01-31, or a timestamp` };
}
