import { messageFrom, type Message, type ParamsFor } from "./message.ts";

/** What happened to a mail, why, and what to do about it, as its timeline says. */
export const TIMELINE = {
  simulated: "The email was a test: no mail server got it.",
  waiting: "The email waits for its time.",
  accepted: "The mail server accepted the email.",
  complained: "The mail server accepted the email, and the recipient has since complained.",
  clicked: "The mail server accepted the email, and its recipient clicked a link in it.",
  link_visited:
    "The mail server accepted the email, and a link in it was visited, possibly by a scanner.",
  opened: "The mail server accepted the email, and its recipient opened it.",
  images_loaded:
    "The mail server accepted the email, and its images were loaded, possibly by a program.",
  suppressed: "The address was on the suppression list, so nothing was sent.",
  opted_out: "The address has not consented to the topic of the email, so nothing was sent.",
  outcome_unknown:
    "The connection was lost after the email was handed over, so it is unknown whether it arrived.",
  undeliverable: "The address does not accept mail.",
  not_sent: "The email was not sent: the error has the details.",
  refused: "The email was rejected: {reason}.",
  returned: "The email was accepted and then bounced: {reason}.",

  // The reasons of a refusal, as the end of a sentence.
  user_unknown: "the recipient's server says this mailbox does not exist",
  mailbox_disabled: "the mailbox no longer accepts mail",
  host_unknown: "the domain of the address does not exist",
  no_mx: "the domain of the address accepts no mail",
  mailbox_full: "the mailbox is full",
  sender_rejected: "the server does not accept your sender address",
  blocked: "the sending server or domain is on a blocklist or has a bad reputation",
  policy: "a policy of the receiving system forbids it",
  authentication: "the sender did not pass SPF, DKIM, DMARC or a check of its host name",
  content: "its content was classified as spam, malware or prohibited",
  too_large: "it is larger than the receiving system allows",
  relaying_denied: "the mail server does not relay mail for this login or to this address",
  system: "the receiving system has an internal error",
  unknown: "the server gave no recognized reason",
  rate_limited: "the server accepts no more mail from you for now",
  greylisted: "the server makes unknown senders wait (greylisting)",
  network: "a DNS lookup or a connection failed",
  expired: "the mail server gave up after days of retries",

  // What to do.
  nothing_to_do: "No action needed.",
  move_or_cancel: "No action needed. Until it is sent, you can change its time or cancel it.",
  nothing_more_to_learn: "No action needed: most servers report nothing after accepting a message.",
  stop_mailing: "Stop emailing this address, and check how it got on your list.",
  send_again: "The address is no longer on the list: the email can be sent again.",
  ask_before_removing:
    "Ask the person for another address, and remove the entry only if this one works.",
  respect_unsubscribe:
    "Respect it: the person has unsubscribed and must subscribe again themselves.",
  remove_from_list: "Remove the entry from the list if you may email the address again.",
  ask_recipient: "Ask the recipient before you send it again: it could arrive twice.",
  ask_for_address: "Ask the person for another address.",
  ask_for_address_suppressed:
    "Ask the person for another address: this one is on the suppression list.",
  check_address: "Check the address for typos, and ask the person for another one.",
  check_domain: "Check the address, and try again later if the domain is reachable.",
  correct_error: "Fix the cause that the error names, and send the email again.",
  wait_for_room: "Try again in a few days: the recipient has to free up space first.",
  check_sender:
    "Check that the sender address exists and that this mail server may send for its domain.",
  leave_blocklist:
    "Follow the link in the error, or ask the operator of your mail server to request removal from the blocklist.",
  read_rule:
    "Read the policy in the error, and ask the operator of the receiving system if it is unclear.",
  set_up_authentication:
    "Set up SPF, DKIM and DMARC for the domain of your sender address, and give it an A or MX record.",
  change_content: "Change the content, its links or its attachments, and test it with one email.",
  make_smaller: "Make the email smaller: link to large files instead of attaching them.",
  check_login: "Check the login in the SMTP settings and what your provider allows it to send.",
  tell_operator:
    "Try again later, and contact the operator of the receiving system if the problem persists.",
  read_error: "Read the server's reply in the error, and try again if it allows a retry.",
  send_slower: "Wait and send more slowly: set the limits of your mail server.",
  send_soon: "Send it again in a few minutes: the server accepts a second attempt.",
  try_later: "Try again later: this is a network error.",
} as const;

export type TimelineCode = keyof typeof TIMELINE;

/** Makes a message of a timeline. */
export const timelineMessage = <Code extends TimelineCode>(
  code: Code,
  params?: ParamsFor<(typeof TIMELINE)[Code]>,
): Message<Code> => messageFrom(TIMELINE, code, params);
