import { entry } from "./entry.ts";

/** Refusals of the request itself, whatever it asks for. */
export const REQUEST = {
  invalid_request: entry(400, "{reason}", "Correct the fields that `details` names."),
  bad_request: entry(400, "{reason}", "Change the request as the text says."),
  unauthorized: entry(401, "{reason}", "Log in again, or send a valid key."),
  license_required: entry(
    402,
    "license required for {feature}",
    "Set a license that covers the feature.",
  ),
  forbidden: entry(
    403,
    "{reason}",
    "The text says what is missing, such as a role, a capability or room.",
  ),
  not_found: entry(
    404,
    "{what} not found",
    "Check the id: it may be deleted or of another project.",
  ),
  method_not_allowed: entry(405, "{reason}", "Use one of the methods in the Allow header."),
  conflict: entry(409, "{reason}", "Read the current state and try again."),
  precondition_failed: entry(412, "{reason}", "Read it again and repeat the change."),
  payload_too_large: entry(413, "{reason}", "Send less at once."),
  suppressed: entry(422, "{reason}", "Do not mail this recipient."),
  rate_limited: entry(429, "{reason}", "Wait for the seconds of Retry-After."),
  smtp_failed: entry(502, "{reason}", "Test the mail server in the settings of the project."),
  mailbox_failed: entry(502, "{reason}", "Test the bounce mailbox in the settings of the project."),
  unavailable: entry(503, "{reason}", "Repeat the same request after the seconds of Retry-After."),
  internal_error: entry(500, "internal error", "Read the log of the Worker: it names the fault."),
} as const;
