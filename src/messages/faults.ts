import { messageFrom, type Message, type ParamsFor } from "./message.ts";

/** What can be wrong with one field of a request, as `details` tell it. */
export const FAULTS = {
  required: "is required",
  invalid_type: "must be {expected}",
  not_in_list: "must be one of {values}",
  too_short: "must have at least {min} characters",
  too_long: "must have at most {max} characters",
  too_few: "must have at least {min} entries",
  too_many: "must have at most {max} entries",
  too_small: "must be at least {min}",
  too_large: "must be at most {max}",
  not_multiple: "must be a multiple of {divisor}",
  invalid_format: "must have the format {format}",
  invalid_name: "has a name that {reason}",
  unknown_fields: "must not have {names}",
  empty: "must not be empty",
  not_one_line: "must be one line",
  not_unicode: "must be well-formed Unicode",
  control_characters: "must not contain control characters",
  bidi_controls: "must not contain bidirectional controls",
  invisible: "must have a visible character",
  reserved_name: "must have another name",
  json_too_long: "must not be larger than {max} characters of JSON",
  too_deep: "must not be nested deeper than {max} levels",
  not_uuid: "must be a UUID",
  is_uuid: "must not be a UUID",
  not_whole: "must be a whole number",
  not_whole_or_below_one: "must be a whole number or below 1",
  not_timestamp: "must be an RFC 3339 timestamp, such as 2026-01-31T00:00:00Z",
  year_out_of_range: "must be in the years 0 to 9999 (UTC)",
  not_time_zone: "is not a time zone such as Europe/Berlin",
  not_base64: "is not base64",
  not_token: "is not a token",
  not_selector: "must be a DKIM selector, such as default or s1",
  not_addresses: "must be an address or a list of addresses",
  invalid_address: "is not an email address: {reason}",
  invalid_return_path: "is not a return path: {reason}",
  invalid_tag:
    "must have 1 to {max} characters, and no commas, quotes, backslashes or control characters",
  invalid_filename: "must have at most 255 characters, and no control characters",
  invalid_media_type: "is not a media type that can be attached",
  invalid_content_id:
    "must be printable ASCII without spaces and brackets, of at most 120 characters on each side of an @",
  attachments_too_large: "attachments may have at most {max} MiB in all",
  common_password: "is one of the most common passwords",
  not_variant: "must be a letter from A to E",
  variant_count: "needs 2 to 5 variants",
  invalid_cursor: "is not a cursor of this list",
  other_order: "is not a cursor of this order",
  no_offset: "must be left out: this list is paged with after",
  offset_with_after: "must be left out with after",
  null_with: "must be null with {field}",
  not_for_action: "must be left out with {action}",
  where_alone: "must have nothing beside where",
  required_together: "is required: {fields} are set together",
  missing_field: "missing required field: {field}",
  nothing_given: "at least one field is required",
  one_of: "at least one of {fields} is required",
  either: "give either {one} or {other}",
  send_shape:
    "give `to` with `template_id`, or `subscriber_id` with `template_id`, or `to` with `subject` and `html_body`",
  body_type: "the body must be {expected}",
  invalid: "is not valid",
} as const;

export type FaultCode = keyof typeof FAULTS;

/** Makes a fault of a field. */
export const faultOf = <Code extends FaultCode>(
  code: Code,
  params?: ParamsFor<(typeof FAULTS)[Code]>,
): Message => messageFrom(FAULTS, code, params);
