import { entry } from "./entry.ts";

/** Refusals about mails, their servers and their content. */
export const SENDING = {
  smtp_not_configured: entry(
    400,
    "SMTP settings are not configured",
    "Save the SMTP settings of the project.",
  ),
  no_fallback_server: entry(
    400,
    "no fallback server is set",
    "Save a fallback server in the SMTP settings of the project.",
  ),
  no_from_address: entry(
    400,
    "from_email is not configured, and smtp_user is not an email address",
    "Save `from_email` in the SMTP settings of the project.",
  ),
  sender_not_allowed: entry(
    422,
    "{address} is not a sender of the project, only {allowed}",
    "Use one of these senders, or add the address with `PUT …/mail-settings`.",
  ),
  account_not_mailable: entry(
    400,
    "your account's email address cannot receive mail: {reason}",
    "Sign in with an account whose address can receive mail.",
  ),
  subscriber_not_mailable: entry(
    400,
    "the subscriber's email address is not usable: {reason}",
    "Correct the subscriber's email address.",
  ),
  empty_mail: entry(
    400,
    "the email is empty: it has neither HTML nor text",
    "Give the email or its template HTML or text.",
  ),
  template_syntax_error: entry(
    400,
    "template syntax error{place}: {reason}",
    "Correct the template at the line and column that the message names.",
  ),
  template_render_error: entry(
    400,
    "template could not be rendered: {reason}",
    "Correct the template, or send the data that it needs.",
  ),
  invalid_attachment: entry(
    400,
    "the {field} of an attachment {reason}",
    "Correct the field of the attachment.",
  ),
  attachment_not_fetched: entry(
    422,
    "the attachment at {path} could not be fetched: {reason}",
    "Give a public HTTPS URL that answers 200 without a redirect, or the content itself.",
  ),
  too_many_headers: entry(
    400,
    "at most {max} custom headers are allowed",
    "Omit some of the headers.",
  ),
  invalid_header_name: entry(
    400,
    "a header name is not a token",
    "Use letters, digits and hyphens in header names.",
  ),
  header_reserved: entry(
    400,
    "header {name} cannot be set",
    "Omit the header: the service sets it.",
  ),
  header_repeated: entry(400, "header {name} is given twice", "Give each header once."),
  header_too_long: entry(
    400,
    "header {name} has more than {max} characters",
    "Shorten the value of the header.",
  ),
  header_line_too_long: entry(
    400,
    "header {name} is too long: a line has at most {max} characters and can be folded only at a space",
    "Add spaces to the value, or shorten it.",
  ),
  header_with_line_break: entry(
    400,
    "header {name} contains a line break or NUL",
    "Remove line breaks and NUL characters from the value.",
  ),
  header_not_ascii: entry(
    400,
    "header {name} contains a character that is not printable ASCII",
    "Use printable ASCII in the value.",
  ),
  malformed_header: entry(
    400,
    "header {name} is malformed",
    "Give the value the form that the header requires.",
  ),
  mail_of_broadcast: entry(
    409,
    "the email belongs to a broadcast, which is resent as a whole",
    "Resend the broadcast to its failed recipients.",
  ),
  mail_content_not_kept: entry(
    409,
    "the email was not sent from a stored template, and its content is not kept",
    "Send a new email.",
  ),
  mail_accepted: entry(
    409,
    "the mail server accepted the email: it would arrive twice (may_arrive_twice)",
    "Set `may_arrive_twice` to send it anyway.",
  ),
  mail_outcome_unknown: entry(
    409,
    "it is unknown whether the email was sent: it may arrive twice (may_arrive_twice)",
    "Set `may_arrive_twice` to send it anyway.",
  ),
  mail_still_tried: entry(
    409,
    "the service is still trying to send the email: it would arrive twice (may_arrive_twice)",
    "Wait, or set `may_arrive_twice` to send it anyway.",
  ),
  mail_not_waiting: entry(
    409,
    "the email is not waiting any more: it is being sent, or was sent",
    "Read its log entry with `GET …/logs/{logId}`.",
  ),
  batch_not_waiting: entry(
    409,
    "the batch is not waiting: it is being sent, or was sent",
    "Read it with `GET …/batches/{batchId}`.",
  ),
  scheduled_mail_too_large: entry(
    422,
    "a scheduled email may have at most {max} MiB with its attachments",
    "Send it when it is due, or link to its files.",
  ),
  address_not_usable: entry(
    409,
    "the address is not usable: {reason}",
    "Send an email to the correct address.",
  ),
  template_gone: entry(
    409,
    "the template of the email no longer exists",
    "Send a new email from another template.",
  ),
  subscriber_gone: entry(409, "the subscriber no longer exists", "Send a new email to an address."),
  address_suppressed: entry(
    409,
    "the address is on the suppression list",
    "Do not email this recipient.",
  ),
  suppressed: entry(
    422,
    "the recipient is on the suppression list",
    "Do not email this recipient.",
  ),
  opted_out: entry(
    422,
    "the recipient has not consented to the topic",
    "Do not email this recipient about the topic.",
  ),
  subscriber_left: entry(422, "the subscriber has unsubscribed", "Do not email this recipient."),
  nothing_to_confirm: entry(
    422,
    "the subscriber is {status} and has nothing to confirm",
    "Do not email this recipient.",
  ),
  mailbox_limit_reached: entry(
    429,
    "the mailbox has reached its daily limit of emails from joins",
    "No action needed: the limit protects people whose addresses others enter into forms.",
  ),
  mail_server_limit_reached: entry(
    429,
    "a limit of the mail server is reached: nothing was sent",
    "Repeat the request after the seconds of Retry-After.",
  ),
  mail_server_limits_unavailable: entry(
    503,
    "the limits of the mail server are unavailable: try again",
    "Repeat the same request in a moment.",
  ),
  sender_busy: entry(
    503,
    "the sender of this project is busy: nothing was sent",
    "Repeat the request after the seconds of Retry-After.",
  ),
  no_service_sender: entry(
    409,
    "the service has no sender for its own email: the owner of the first account chooses a project with PUT /api/v1/service/mail",
    "The owner of the first account chooses a project with `PUT /service/mail`.",
  ),
  other_service_sender: entry(
    409,
    "the project is not the sender of the service's email",
    "No action needed: another project sends the email.",
  ),
  smtp_failed: entry(502, "{reason}", "Test the mail server in the settings of the project."),
} as const;
