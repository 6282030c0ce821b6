import { plural } from "../../../lib/format.ts";

export const en = {
  bouncesLead:
    "An address that bounces is suppressed and gets no more email. You do not have to do anything.",
  suppressedAddresses: "Suppressed addresses",
  bounceWays: "How bounces arrive",
  bounceWaysWords:
    "Most bounces are replies of your mail server, which need no setup. Some servers report a bounce only later: set up one of the other ways to get those reports, too.",
  ways: {
    replies: {
      title: "Server replies",
      words: "Your mail server says while sending that an address does not exist.",
    },
    mailbox: {
      title: "Mailbox",
      words: "Postrider reads the bounce reports in a mailbox, every five minutes.",
    },
    routing: {
      title: "Email Routing",
      words: "Cloudflare passes bounce reports on to Postrider, at an address of your own domain.",
    },
    provider: {
      title: "Email provider",
      words: "Your provider, such as Amazon SES or Brevo, posts bounces and complaints to a URL.",
    },
  },
  wayStates: {
    working: "Working",
    failing: "Not working",
    set: "Set up",
    ready: "Ready",
    missing: "Not set up",
  },
  bounceUrlWords:
    "Give this URL to your email provider or server as its webhook for bounces and complaints. Anyone who knows it can report bounces, so keep it secret.",
  bounceUrlHidden: "This URL is secret. Only roles that can change the project see it.",
  bounceProvider: "Email provider",
  otherProvider: "Another provider, or a server",
  providerKeys: {
    sns_topic_arn: "ARN of the topic",
    sendgrid_public_key: "Verification key",
    mailgun_signing_key: "HTTP webhook signing key",
    resend_signing_key: "Signing secret",
    postal_signing_key: "Public key",
    zeptomail_signing_key: "Authentication key",
    lettermint_signing_key: "Signing secret",
  },
  providerKeyHint: "Once it is saved, reports of this provider count only with its signature.",
  keySaved: "A key is saved. A new one replaces it, and an empty field removes it.",
  saveKey: "Save key",
  rotate: "Change URL",
  rotateTitle: "Change the URL?",
  rotateWords: "The old URL stops working immediately. Enter the new one at your provider.",
  rotated: "The URL was changed.",
  rotatedAt: "Created",
  mailboxOn: "Read a mailbox",
  mailboxFields: { host: "IMAP server", user: "Username", folder: "Folder" },
  port: "Port",
  password: "Password",
  lastPolled: "Last read:",
  testMailbox: "Test mailbox",
  mailboxFails: "The mailbox cannot be read.",
  mailboxWorks: (unseen: number) =>
    `The mailbox can be read. ${plural(unseen, "message is", "messages are")} waiting in the folder.`,
  advanced: "Advanced",
  rules: "When an address is suppressed",
  proof: "Reports that suppress addresses",
  proofHint: "Other reports suppress no address and wait for your review.",
  proofs: {
    required: "Only reports that prove one of your emails",
    recent: "Also reports about recently emailed addresses",
  },
  any5xx: "Suppress on every permanent rejection",
  any5xxHint: "Even if the server rejects your sender address or content. This is rarely needed.",
  softLimit: "Days of soft bounces until an address is suppressed",
  softLimitHint: "A soft bounce is temporary, such as a full mailbox.",
  neverSuppress: "Never",
  returnPath: "Return path",
  returnPathHint: "Where servers send bounces to, for example bounces+{token}@mail.example.com.",
  forwardTo: "Forward other email to",
  forwardToHint: "Replies from people that arrive at the return path.",
  brakes: "Automatic pause",
  brakesHint: "A broadcast pauses when it reaches one of these limits.",
  brakeNames: {
    bad_address_pct: "Bad addresses, in percent",
    sender_refusal_pct: "Sender rejections, in percent",
    sender_refusals_in_a_row: "Sender rejections in a row",
    complaint_pct: "Complaints, in percent",
  },
  sampleFirst: "Start with a small sample",
  sampleFirstHint:
    "Send to a few recipients, wait a minute for bounces and complaints, then continue.",
};
