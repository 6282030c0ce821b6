import { SUBSCRIBER_STATUSES } from "../../lib/subscriber-statuses.ts";
import { isEventName } from "../../lib/event-name.ts";
import { isUuid } from "../../lib/ids.ts";
import { MAX_TAG_CHARACTERS, parseTag } from "../../lib/tag.ts";
import { conditionFault } from "../../messages/conditions.ts";
import { faultOf } from "../../messages/faults.ts";
import type { Message } from "../../messages/message.ts";
import {
  COMPARISONS,
  EVENT,
  METADATA_OPERATORS,
  MOST_EVENTS,
  MOST_VALUE_CHARACTERS,
  MOST_VALUES,
  operatorsOf,
  type Operator,
  type Term,
} from "./condition.ts";
import { LONGEST_MAILED_MS, LONGEST_SPAN_MS, momentOf, numberOf, spanMs } from "./times.ts";

/** A term, or the reason why it is invalid. */
export type MadeTerm = { ok: true; term: Term } | { ok: false; fault: Message };

const UNREADABLE = /[\p{Cc}\p{Cs}]/u;
const STATUSES: readonly string[] = SUBSCRIBER_STATUSES;
const COMPARING: readonly string[] = COMPARISONS;

const NO_TAG = conditionFault("tag_unreadable", {
  reason: faultOf("invalid_tag", { max: MAX_TAG_CHARACTERS }),
});

const NO_EVENT_NAME = conditionFault("event_name_unreadable", {
  reason: faultOf("not_event_name"),
});

const no = (fault: Message): MadeTerm => ({ ok: false, fault });

/**
 * Validates a comparison, and normalizes its values to the form in which they are compared and
 * printed.
 */
export function makeTerm(field: string, op: Operator, given: readonly string[]): MadeTerm {
  const operators = operatorsOf(field);
  if (!operators) return no(conditionFault("unknown_field", { field }));
  if (!isReadable(field.replace(PREFIX, ""))) return no(conditionFault("name_unreadable"));
  const isCount = field.startsWith(EVENT);
  if (isCount && !isEventName(field.slice(EVENT.length))) return no(NO_EVENT_NAME);
  if (!operators.includes(op)) return no(missing(field, operators));
  const most = op === "is" ? MOST_VALUES : isCount && COMPARING.includes(op) ? 2 : 1;
  if (op === "exists" ? given.length > 0 : given.length === 0 || (most < 3 && given.length > most))
    return no(conditionFault(op === "exists" ? "no_value" : "one_value", { field }));
  if (given.length > MOST_VALUES)
    return no(conditionFault("too_many_values", { max: MOST_VALUES }));
  const values: string[] = [];
  for (const [index, text] of given.entries()) {
    if (!isReadable(text))
      return no(conditionFault("value_unreadable", { max: MOST_VALUE_CHARACTERS }));
    const value =
      isCount && op !== "within" && index === 0 ? countOf(field, text) : valueOf(field, op, text);
    if ("fault" in value) return no(value.fault);
    values.push(value.value);
  }
  return { ok: true, term: { field, op, values } };
}

/** What precedes the name in a field that the caller names. */
const PREFIX = /^(?:metadata|event)[.:]/;

const isReadable = (text: string) => text.length <= MOST_VALUE_CHARACTERS && !UNREADABLE.test(text);

function missing(field: string, operators: readonly Operator[]): Message {
  if (field.startsWith(EVENT)) return conditionFault("event_counted", { field });
  if (operators.includes("within"))
    return conditionFault(operators.includes("<") ? "span_or_day_expected" : "span_expected", {
      field,
    });
  if (operators === METADATA_OPERATORS) return conditionFault("no_span", { field });
  const isText = operators.includes("begins");
  return conditionFault(isText ? "only_texts" : "only_whole_values", { field });
}

type Value = { value: string } | { fault: Message };

function valueOf(field: string, op: Operator, text: string): Value {
  if (op === "within" || field.startsWith(EVENT)) return spanOf(field, text);
  if (COMPARING.includes(op)) return comparedOf(field, text);
  if (field === "status")
    return STATUSES.includes(text)
      ? { value: text }
      : { fault: conditionFault("unknown_status", { values: STATUSES.join(", ") }) };
  if (field === "tag") {
    const tag = parseTag(text);
    return tag === undefined ? { fault: NO_TAG } : { value: tag };
  }
  if (field === "import") {
    const id = text.toLowerCase();
    return isUuid(id) ? { value: id } : { fault: conditionFault("import_unreadable") };
  }
  const isEmptyAllowed = isJson(field) && op === "is";
  if (text === "" && !isEmptyAllowed) return { fault: conditionFault("value_empty", { field }) };
  return { value: field === "email" ? text.toLowerCase() : text };
}

const isJson = (field: string) => operatorsOf(field) === METADATA_OPERATORS;

function countOf(field: string, text: string): Value {
  const isCount = /^\d{1,4}$/.test(text) && Number(text) <= MOST_EVENTS;
  return isCount
    ? { value: String(Number(text)) }
    : { fault: conditionFault("count_expected", { field, max: MOST_EVENTS }) };
}

function spanOf(field: string, text: string): Value {
  const span = text.toLowerCase();
  const length = spanMs(span);
  if (length === undefined) return { fault: conditionFault("span_unreadable", { field }) };
  const [longest, max] =
    field === "mailed" || field.startsWith(EVENT)
      ? [LONGEST_MAILED_MS, "90d"]
      : [LONGEST_SPAN_MS, "3650d"];
  return length > longest
    ? { fault: conditionFault("span_too_long", { field, max }) }
    : { value: span };
}

function comparedOf(field: string, text: string): Value {
  const isNumber = isJson(field) && numberOf(text) !== undefined;
  if (momentOf(text) || isNumber) return { value: text };
  return {
    fault: conditionFault(isJson(field) ? "number_or_moment_expected" : "moment_expected"),
  };
}
