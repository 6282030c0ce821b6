import type { RefusalReason } from "../../../mail/bounce/index.ts";

/** For each reason of a refusal: the cause, as the end of a sentence, and the action to take. */
export const REASON_WORDS: Record<RefusalReason, readonly [why: string, whatToDo: string]> = {
  user_unknown: [
    "its server does not know the mailbox",
    "Ask the person for another address: this one is on the suppression list.",
  ],
  mailbox_disabled: [
    "the mailbox takes no mail any more",
    "Ask the person for another address: this one is on the suppression list.",
  ],
  host_unknown: [
    "the domain of the address does not exist",
    "Check the address for a typing error, and ask the person for another one.",
  ],
  no_mx: [
    "the domain of the address takes no mail",
    "Check the address for a typing error, and ask the person for another one.",
  ],
  mailbox_full: [
    "the mailbox is full",
    "Try again in some days: the recipient has to make room first.",
  ],
  sender_rejected: [
    "the server does not accept your sender address",
    "Check that the sender address exists and that this mail server may send for its domain.",
  ],
  blocked: [
    "the sending server or domain is on a blocklist or has a bad reputation",
    "Follow the link in the error, or ask the operator of your mail server to have it removed.",
  ],
  policy: [
    "a rule of the receiving system forbids it",
    "Read the rule in the error, and ask the operator of the receiving system if it is unclear.",
  ],
  authentication: [
    "the sender did not pass SPF, DKIM, DMARC or a check of its host name",
    "Set up SPF, DKIM and DMARC for the domain of your sender address, and give it an A or MX record.",
  ],
  content: [
    "its content was taken for spam, for a virus or for forbidden",
    "Change the content, its links or its attachments, and test it with one mail.",
  ],
  too_large: [
    "it is larger than the receiving system allows",
    "Make the mail smaller: link large files instead of attaching them.",
  ],
  relaying_denied: [
    "the mail server does not forward mail for this login or to this address",
    "Check the login in the SMTP settings and what your provider lets it send.",
  ],
  system: [
    "the receiving system has a fault of its own",
    "Try again later, and tell the operator of the receiving system if it goes on.",
  ],
  unknown: [
    "the server gave no reason that is known here",
    "Read the words of the server in the error, and try again if they allow it.",
  ],
  rate_limited: [
    "the server takes no more mail from you for now",
    "Wait and send more slowly: set the limits of your mail server.",
  ],
  greylisted: [
    "the server makes unknown senders wait",
    "Send it again in some minutes: the server accepts a second attempt.",
  ],
  network: [
    "a name server or a connection failed",
    "Try again later: the fault is one of the network.",
  ],
  expired: [
    "the mail server gave up after trying for days",
    "Check the address, and try again later if the domain is reachable.",
  ],
};
