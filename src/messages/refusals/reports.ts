import { entry } from "./entry.ts";

const BOUNCE_SETTINGS = "Compare the bounce settings of the project with those of the provider.";

const HOOK_SETTINGS = "Compare the settings of the hook with those of the service that calls it.";

/** Refusals about bounces, webhooks, and hooks of authentication services. */
export const REPORTS = {
  no_email_in_payload: entry(
    400,
    "could not find email in payload",
    "Post one of the shapes that the reference lists.",
  ),
  mailbox_not_configured: entry(
    400,
    "the bounce mailbox is not configured",
    "Save the settings of the bounce mailbox.",
  ),
  invalid_ingest_token: entry(
    401,
    "missing or invalid token",
    "Copy the report URL from the project's bounce settings again.",
  ),
  signature_required: entry(
    401,
    "this project accepts only signed reports",
    "Sign the reports, or let the project accept reports with its token.",
  ),
  invalid_report_signature: entry(
    401,
    "the {provider} signature is missing, invalid or expired",
    BOUNCE_SETTINGS,
  ),
  report_signature_reused: entry(
    401,
    "the {provider} signature belongs to another event",
    "Post each event with its own signature.",
  ),
  sns_field_missing: entry(
    401,
    "the SNS message is missing a field",
    "Post the message as SNS sends it, without raw message delivery.",
  ),
  sns_message_expired: entry(
    401,
    "the SNS message is older than an hour",
    "No action needed: newer messages are accepted.",
  ),
  sns_url_foreign: entry(
    401,
    "{field} of the message is not an SNS URL",
    "Post only messages from SNS.",
  ),
  sns_signature_wrong: entry(401, "the SNS signature is invalid", "Post only messages from SNS."),
  sns_topic_not_set: entry(
    403,
    "set the project's sns_topic_arn before its topic posts here",
    "Save `sns_topic_arn` in the bounce settings.",
  ),
  sns_topic_differs: entry(403, "the topic is not the project's sns_topic_arn", BOUNCE_SETTINGS),
  sns_not_confirmed: entry(
    503,
    "SNS did not confirm the subscription: {reason}",
    "No action needed: SNS retries.",
  ),
  sns_certificate_unavailable: entry(
    503,
    "could not load the SNS certificate: {reason}",
    "No action needed: SNS posts the message again.",
  ),
  mail_not_logged_yet: entry(
    503,
    "the email of this report is not in the log yet: post the report again in a minute",
    "Post the report again after the seconds of Retry-After.",
  ),
  mailbox_failed: entry(502, "{reason}", "Test the bounce mailbox in the settings of the project."),
  invalid_hook_token: entry(
    401,
    "the URL of the hook has no valid token",
    "Copy the URL from the settings of the hook again.",
  ),
  hook_without_secret: entry(
    403,
    "the hook has no secret",
    "Save the secret of the service in the settings of the hook.",
  ),
  invalid_hook_signature: entry(
    401,
    "the signature is missing, wrong or older than five minutes",
    HOOK_SETTINGS,
  ),
  invalid_hook_body: entry(
    400,
    "the call does not have the form of the service: {path}",
    HOOK_SETTINGS,
  ),
  hook_action_without_template: entry(
    422,
    "{action} has no template",
    "Choose a template for this email in the settings of the hook.",
  ),
  webhook_paused: entry(
    409,
    "the webhook is paused: set active to true first",
    "Set `active` to true, then repeat the request.",
  ),
  too_many_webhooks: entry(
    409,
    "a project has at most {max} webhooks: delete one first",
    "Delete a webhook of the project.",
  ),
} as const;
