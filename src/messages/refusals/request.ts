import { entry } from "./entry.ts";

/** Refusals of the request itself, whatever it asks for. */
export const REQUEST = {
  invalid_request: entry(400, "{path}: {reason}", "Correct the fields that `details` names."),
  unknown_field: entry(400, "{path}: {reason}", "Correct or omit the fields that `details` names."),
  body_not_json: entry(
    400,
    "the body is not valid JSON: line {line}, column {column}",
    "Correct the JSON at this position: a comma, quote or bracket may be missing or too many.",
  ),
  body_is_form: entry(
    400,
    "the body is a form: send JSON with `Content-Type: application/json`",
    "Send the fields as a JSON object.",
  ),
  body_not_utf8: entry(400, "the body is not valid UTF-8", "Encode the body in UTF-8."),
  body_too_complex: entry(400, "the body {reason}", "Send less at once, or nest it less."),
  body_too_slow: entry(
    400,
    "the body took longer than {seconds} s to arrive",
    "Repeat the request on a faster connection, or send less at once.",
  ),
  body_paused: entry(
    400,
    "the body paused for more than {seconds} s",
    "Repeat the request on a steadier connection.",
  ),
  search_without_csv: entry(
    400,
    "a search is not available as CSV: filter the whole list instead",
    "Request JSON, or omit the search fields.",
  ),
  wrong_content_type: entry(
    400,
    "the Content-Type must be application/json",
    "Send `Content-Type: application/json`.",
  ),
  invalid_idempotency_key: entry(
    400,
    "Idempotency-Key must be 1 to 255 printable ASCII characters without spaces",
    "Send another key, such as a UUID.",
  ),
  session_required: entry(
    401,
    "a login session is required",
    "Sign in, and call with the session.",
  ),
  license_required: entry(
    402,
    "license required for {feature}",
    "Set a license that covers the feature.",
  ),
  foreign_site: entry(
    403,
    "this request comes from another site",
    "Send writes with a session only from the service's own pages.",
  ),
  not_found: entry(
    404,
    "{what} not found",
    "Check the ID: it may have been deleted or belong to another project.",
  ),
  method_not_allowed: entry(
    405,
    "{method} is not allowed here: use {allow}",
    "Use one of the methods in the Allow header.",
  ),
  idempotency_key_reused: entry(
    409,
    "this Idempotency-Key was used with another request",
    "Use a new key for each request, and repeat a request unchanged.",
  ),
  first_request_running: entry(
    409,
    "the first request with this Idempotency-Key is still running",
    "Repeat the same request after the seconds of Retry-After.",
  ),
  first_outcome_unknown: entry(
    409,
    "the outcome of the first request with this Idempotency-Key is unknown: check whether it took effect, then use another key",
    "Check whether the first request took effect. If not, repeat it with another key.",
  ),
  precondition_failed: entry(
    412,
    "the {what} has changed: its ETag no longer matches",
    "Read it again and repeat the change.",
  ),
  payload_too_large: entry(413, "the body is larger than {limit}", "Send less at once."),
  rate_limited: entry(
    429,
    "rate limit of {limit} per minute exceeded",
    "Repeat the request after the seconds of Retry-After.",
  ),
  hourly_limit_reached: entry(
    429,
    "rate limit of {limit} per hour exceeded",
    "Repeat the request after the seconds of Retry-After.",
  ),
  too_many_searches: entry(
    429,
    "at most {limit} searches per minute through many subscribers",
    "Repeat the search after the seconds of Retry-After, or narrow it.",
  ),
  large_request_running: entry(
    503,
    "another large request is being processed: try again",
    "Repeat the same request after the seconds of Retry-After.",
  ),
  slow_request_displaced: entry(
    503,
    "another large request took the place of this slow one: try again",
    "Repeat the same request after the seconds of Retry-After.",
  ),
  database_unavailable: entry(
    503,
    "the database does not respond",
    "Repeat the request in a moment; the Worker's log has the error.",
  ),
  rate_limiter_unavailable: entry(
    503,
    "the rate limiter is unavailable: try again",
    "Repeat the same request in a moment.",
  ),
  internal_error: entry(500, "internal error", "Check the Worker's log for the error."),
} as const;
