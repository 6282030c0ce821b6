import { messageFrom, type Message, type ParamsFor } from "./message.ts";

/** Faults of a condition on subscribers, and warnings about one (API reference §12.9). */
export const CONDITION_FAULTS = {
  at_character: "at character {position}: {fault}",
  at_path: "{path}: {fault}",
  condition_too_long: "at most {max} characters",
  condition_too_long_written_out: "at most {max} characters when written out",
  too_many_comparisons: "at most {max} comparisons",
  too_many_levels: "at most {max} levels",
  too_many_brackets: "at most {max} nested parentheses and nots",
  too_many_values: "at most {max} values",
  conditions_out_of_range: "must have 1 to {max} conditions",
  wrong_form: "must be {form}",
  end_expected: 'expected "and", "or" or the end of the condition',
  bracket_expected: 'expected "and", "or" or ")"',
  operator_expected: "expected an operator after {field}, as in tag:vip",
  field_expected: "expected a field, as in tag:vip",
  condition_expected: "expected a condition, as in tag:vip",
  metadata_name_expected: "expected a metadata key",
  quote_expected: 'a backslash must be followed by " or \\',
  quote_not_closed: "the quote is not closed",
  operator_not_quoted: "a value that begins with {operator} needs double quotes",
  operator_not_first: "write {meant}; a value that begins with {operator} needs double quotes",
  misplaced_star: "a * is allowed only at the beginning or the end of a value",
  value_missing: 'a value is missing after "{operator}"',
  unknown_field: "there is no field {field}",
  name_unreadable: "the name contains characters that are not allowed",
  span_or_day_expected:
    "{field} takes a span such as {field}:30d, or a day such as {field}<2026-01-31",
  span_expected: "{field} takes a span such as {field}:30d",
  span_unreadable: "{field} takes a span of hours, days or weeks, such as 12h, 90d or 4w",
  span_too_long: "the longest span of {field} is {max}",
  no_span: "{field} does not take a time span",
  only_texts: "{field} takes only text",
  only_whole_values: "{field} takes only exact values, as in {field}:value",
  no_value: "{field} takes no value here",
  one_value: "{field} needs one value",
  value_empty: "{field} needs a value that is not empty",
  value_unreadable: "a value must have at most {max} characters and no control characters",
  unknown_status: "status must be one of {values}",
  import_unreadable: "import takes the id of an import; a metadata key is metadata.import",
  tag_unreadable: "a tag {reason}",
  event_name_expected: "expected the name of an event, as in event:purchased",
  event_name_unreadable: "the name of an event {reason}",
  event_counted:
    "{field} takes a number and a span, as in {field}, {field} in 30d or {field}>2 in 30d",
  count_expected: "{field} is compared with a whole number up to {max}",
  event_outside_automation:
    "{field} is the data of the event that starts an automation: only conditions of an automation know it",
  moment_expected: "compare with a day such as 2026-01-31 or a timestamp",
  number_or_moment_expected: "compare with a number, a day such as 2026-01-31 or a timestamp",
  unknown_key: '"{key}" is not a field: none of the newest {count} subscribers has it',
  misspelled_key:
    '"{key}" is not a field: none of the newest {count} subscribers has it; did you mean "{nearest}"?',
} as const;

export type ConditionFaultCode = keyof typeof CONDITION_FAULTS;

/** Makes a fault of a condition. */
export const conditionFault = <Code extends ConditionFaultCode>(
  code: Code,
  params?: ParamsFor<(typeof CONDITION_FAULTS)[Code]>,
): Message => messageFrom(CONDITION_FAULTS, code, params);
