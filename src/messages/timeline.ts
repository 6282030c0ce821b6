import { messageFrom, type Message, type ParamsFor } from "./message.ts";

/** What happened to a mail, why, and what to do about it, as its timeline says. */
export const TIMELINE = {
  accepted: "The mail server accepted the mail.",
  complained: "The mail server accepted the mail, and the recipient has complained since.",
  clicked: "The mail server accepted the mail, and its recipient clicked a link in it.",
  link_visited:
    "The mail server accepted the mail, and a link in it was visited, perhaps by a scanner.",
  opened: "The mail server accepted the mail, and its recipient opened it.",
  images_loaded:
    "The mail server accepted the mail, and its images were loaded, perhaps by a program.",
  suppressed: "The address was on the suppression list, so nothing was sent.",
  outcome_unknown:
    "The connection was lost after the mail was handed over, so nobody knows if it arrived.",
  undeliverable: "The address takes no mail.",
  not_sent: "The mail was not sent: the error has the words.",
  refused: "The mail was refused: {reason}.",
  returned: "The mail was accepted and came back: {reason}.",

  // The reasons of a refusal, as the end of a sentence.
  user_unknown: "its server does not know the mailbox",
  mailbox_disabled: "the mailbox takes no mail any more",
  host_unknown: "the domain of the address does not exist",
  no_mx: "the domain of the address takes no mail",
  mailbox_full: "the mailbox is full",
  sender_rejected: "the server does not accept your sender address",
  blocked: "the sending server or domain is on a blocklist or has a bad reputation",
  policy: "a rule of the receiving system forbids it",
  authentication: "the sender did not pass SPF, DKIM, DMARC or a check of its host name",
  content: "its content was taken for spam, for a virus or for forbidden",
  too_large: "it is larger than the receiving system allows",
  relaying_denied: "the mail server does not forward mail for this login or to this address",
  system: "the receiving system has a fault of its own",
  unknown: "the server gave no reason that is known here",
  rate_limited: "the server takes no more mail from you for now",
  greylisted: "the server makes unknown senders wait",
  network: "a name server or a connection failed",
  expired: "the mail server gave up after trying for days",

  // What to do.
  nothing_to_do: "There is nothing to do.",
  nothing_more_to_learn:
    "There is nothing to do: most servers report nothing after accepting a message.",
  stop_mailing: "Do not mail this address again, and check how it came onto your list.",
  send_again: "The address is not on the list any more: the mail can be sent again.",
  ask_before_removing:
    "Ask the person for another address, and remove the entry only if this one works.",
  respect_unsubscribe:
    "Respect it: the person has unsubscribed and must subscribe again themselves.",
  remove_from_list: "Remove the entry from the list if the address may be mailed again.",
  ask_recipient: "Ask the recipient before you send it again: it could arrive twice.",
  ask_for_address: "Ask the person for another address.",
  ask_for_address_suppressed:
    "Ask the person for another address: this one is on the suppression list.",
  check_address: "Check the address for a typing error, and ask the person for another one.",
  check_domain: "Check the address, and try again later if the domain is reachable.",
  correct_error: "Remove the cause that the error names, and send the mail again.",
  wait_for_room: "Try again in some days: the recipient has to make room first.",
  check_sender:
    "Check that the sender address exists and that this mail server may send for its domain.",
  leave_blocklist:
    "Follow the link in the error, or ask the operator of your mail server to have it removed.",
  read_rule:
    "Read the rule in the error, and ask the operator of the receiving system if it is unclear.",
  set_up_authentication:
    "Set up SPF, DKIM and DMARC for the domain of your sender address, and give it an A or MX record.",
  change_content: "Change the content, its links or its attachments, and test it with one mail.",
  make_smaller: "Make the mail smaller: link large files instead of attaching them.",
  check_login: "Check the login in the SMTP settings and what your provider lets it send.",
  tell_operator: "Try again later, and tell the operator of the receiving system if it goes on.",
  read_error: "Read the words of the server in the error, and try again if they allow it.",
  send_slower: "Wait and send more slowly: set the limits of your mail server.",
  send_soon: "Send it again in some minutes: the server accepts a second attempt.",
  try_later: "Try again later: the fault is one of the network.",
} as const;

export type TimelineCode = keyof typeof TIMELINE;

/** Makes a message of a timeline. */
export const timelineMessage = <Code extends TimelineCode>(
  code: Code,
  params?: ParamsFor<(typeof TIMELINE)[Code]>,
): Message<Code> => messageFrom(TIMELINE, code, params);
