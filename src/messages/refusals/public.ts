import { entry } from "./entry.ts";

/** Refusals of the public endpoints: joins by forms, the links of mails, and reported bounces. */
export const PUBLIC = {
  already_on_waitlist: entry(
    409,
    "email is already on the waitlist",
    "No action needed: the person has joined.",
  ),
  joins_used_up: entry(
    429,
    "today's join limit is reached: try again after midnight UTC",
    "Try again tomorrow, or raise `joins_per_day` of the project.",
  ),
  turnstile_token_missing: entry(
    403,
    "turnstile_token is missing: send the token of the Turnstile widget",
    "Show the Cloudflare Turnstile widget, and send its token.",
  ),
  turnstile_rejected: entry(
    403,
    "Turnstile rejected the token: reset the widget, and send its new token",
    "Reset the widget: a token is valid once, for five minutes.",
  ),
  turnstile_unavailable: entry(
    503,
    "Turnstile could not check the token: try again later",
    "Repeat the request with a new token; check the secret of the project.",
  ),
  report_too_large: entry(413, "payload too large", "Report fewer bounces at once."),
  invalid_link: entry(
    400,
    "this link is not valid",
    "Use the link exactly as it appears in the email.",
  ),
  unknown_form: entry(400, "unknown form", "Use the form on the page."),
  link_to_former_address: entry(
    400,
    "the link was sent to an earlier address",
    "Use a link from an email to the current address.",
  ),
  invalid_undo_token: entry(400, "invalid undo token", "Use the form on the page."),
  undo_over: entry(
    400,
    "this unsubscription can no longer be undone",
    "Subscribe again through a form of the sender.",
  ),
} as const;
