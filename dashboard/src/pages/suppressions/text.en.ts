import { formatNumber, plural } from "../../lib/format.ts";

export const en = {
  title: "Suppressions",
  lead: "This project sends no mail to these addresses, whoever sends it.",
  add: "Add addresses",
  email: "Email",
  reason: "Reason",
  reasons: {
    hard_bounce: "Hard bounce",
    unsubscribed: "Unsubscribed or complained",
    manual: "Added by hand",
  },
  source: "Source",
  since: "Since",
  lastSeen: "Last blocked send",
  neverSeen: "none yet",
  remove: "Remove",
  removeTitle: (email: string) => `Allow mail to ${email} again?`,
  removeWords: {
    hard_bounce:
      "Its server permanently rejected mail. If it still does, the next email bounces and hurts your reputation.",
    unsubscribed:
      "The person asked for no more mail. Remove the entry only if they have asked to come back.",
    manual: "Someone on your team added it.",
  },
  removed: (email: string) => `Mail to ${email} is allowed again.`,
  notPutBack: (email: string, why: string) => `${email} is not on the list again: ${why}`,
  none: "No suppressed addresses",
  noneWords:
    "Hard bounces and complaints put addresses here. You can also add addresses that must get no mail.",
  noMatch: "No address matches",
  noMatchWords: "Search for the whole address, or clear the filters.",
  addresses: "Addresses, one per line",
  addressesHint: (most: string) => `Up to ${most}. Addresses already on the list are skipped.`,
  sourceHint: "Why, in a few words: for your team.",
  added: (added: number, skipped: number) =>
    `${plural(added, "address", "addresses")} added, ${formatNumber(skipped)} already there.`,
  rejected: "These are not addresses:",
  unverified: "Unverified reports",
  unverifiedLead:
    "These bounce reports do not prove that they are about your email, so they suppressed no address. Review them and decide.",
  noUnverified: "No reports to review",
  noUnverifiedWords:
    "A report appears here when it names an address but does not prove an email that you sent.",
  kinds: { bounce: "bounce", complaint: "complaint" },
  words: "The server's reply",
  reports: "Reports",
  newest: "Latest",
  chosen: "Choice",
  suppress: (count: number) =>
    count === 0 ? "Suppress selected" : `Suppress ${plural(count, "address", "addresses")}`,
  chooseOne: "Choose an address first.",
  choose: (email: string) => `Choose ${email}`,
  suppressed: (count: number) => `${plural(count, "address", "addresses")} suppressed.`,
  toMail: "the email",
  back: "Back to list",
};
