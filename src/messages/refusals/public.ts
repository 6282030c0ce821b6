import { entry } from "./entry.ts";

/** Refusals of the public endpoints: joins by forms, the links of mails, and reported bounces. */
export const PUBLIC = {
  already_on_waitlist: entry(
    409,
    "email is already on the waitlist",
    "Nothing is left to do: the person has joined.",
  ),
  joins_used_up: entry(
    429,
    "today's limit of joins is reached: try again after midnight UTC",
    "Try again tomorrow, or raise `joins_per_day` of the project.",
  ),
  turnstile_token_missing: entry(
    403,
    "turnstile_token is missing: send the token of the Turnstile widget",
    "Show the widget of Cloudflare Turnstile, and send its token.",
  ),
  turnstile_rejected: entry(
    403,
    "Turnstile rejected the token: reset the widget, and send its new token",
    "Reset the widget: a token counts once, and for five minutes.",
  ),
  turnstile_unavailable: entry(
    503,
    "Turnstile could not check the token: try again later",
    "Repeat the request with a new token; check the secret of the project.",
  ),
  report_too_large: entry(413, "payload too large", "Report fewer bounces at once."),
  invalid_link: entry(400, "this link is not valid", "Use the link exactly as the mail has it."),
  unknown_form: entry(400, "unknown form", "Use the form of the page."),
  link_to_former_address: entry(
    400,
    "the link was sent to an earlier address",
    "Use the link of a mail to the present address.",
  ),
  invalid_undo_token: entry(400, "invalid undo token", "Use the form of the page."),
  undo_over: entry(
    400,
    "this unsubscription can no longer be undone",
    "Subscribe again with a form of the sender.",
  ),
} as const;
