import type { FaultCode } from "../../../src/messages/faults.ts";
import type { RefusalCode } from "../../../src/messages/refusals.ts";
import { addEnglish } from "./messages.ts";

/** English texts of errors whose own texts name the API: its calls, fields and headers. */
const ENGLISH_MESSAGES: Readonly<Partial<Record<RefusalCode | FaultCode, string>>> = {
  session_over: "your session has ended: sign in again",
  wrong_login: "wrong email or password",
  wrong_setup_token: "the setup token is wrong",
  role_lacks_capability: "your role ({role}) does not allow this ({capability})",
  email_registered: "an account with this email address already exists",
  has_account: "this address already has an account: sign in to accept",
  last_owner: "a workspace needs an owner: give someone else this role first",
  workspace_not_empty: "the workspace still has projects: delete them first",
  subscriber_exists: "a person with this email address already exists",
  topic_in_conditions: "these rules use the topic: {places}. Change them first",
  topic_name_in_conditions: "these rules use the topic: {places}. Write topic:{id} in them first",
  topic_named_meanwhile: "someone has just saved rules that may use the topic: try again",
  email_kept_changing: "the person's email address has just changed: try again",
  foreign_list: "this file comes from another service ({service})",
  unknown_columns: "the columns {columns} do not match any known service",
  opt_outs_unknown: "the file does not say who unsubscribed: choose the status of its rows",
  import_adds_suppressions:
    "the file adds addresses to the suppression list, which your role cannot change",
  broadcast_has_problems: "the check found problems that you have not confirmed yet",
  no_unsubscribe_link: "the email needs an unsubscribe link: add {variable} to its HTML",
  smtp_not_configured: "this project has no sending server: connect one in the settings",
  no_from_address: "this project has no sender address: enter one in the settings",
  subscriber_not_mailable: "this person's address cannot receive email: {reason}",
  subscriber_gone: "this person no longer exists",
  subscriber_left: "this person has unsubscribed",
  nothing_to_confirm: "this person has nothing to confirm",
  mail_accepted: "the mail server accepted the email: it would arrive twice",
  mail_outcome_unknown: "it is unknown whether the email was sent: it may arrive twice",
  mail_still_tried: "the service is still trying to send the email: it would arrive twice",
  no_service_sender: "no project sends the email of this service yet",
  webhook_paused: "the webhook is paused: resume it first",
  sns_topic_not_set: "set the SNS topic of this project first",
  search_without_csv: "a search cannot be downloaded: filter the whole list instead",
  first_request_running: "the first request is still running: try again in a moment",
  first_outcome_unknown:
    "it is unknown whether the first request took effect: check before you try again",
  precondition_failed: "someone else changed this in the meantime: reload the page",
  smtp_settings_changed: "someone else changed the sending server: save it again",
  storage_full:
    "the storage of this service is {percent}% full: no email is sent and no one is added until its operator frees up space",
  smtp_password_unreadable: "the stored password cannot be read: save the sending server again",
  ab_test_with_time_zone:
    "must be omitted with recipient time zones: the A/B test would end only after the last one",
  no_such_topic: "there is no topic “{name}”: choose another one, or create it first",
};

addEnglish(ENGLISH_MESSAGES);
