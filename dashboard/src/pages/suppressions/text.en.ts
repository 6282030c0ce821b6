import { formatNumber, plural } from "../../lib/format.ts";

export const en = {
  title: "Suppressions",
  lead: "Addresses that this project never sends email to.",
  add: "Add addresses",
  email: "Email",
  reason: "Reason",
  reasons: {
    hard_bounce: "Address does not exist (hard bounce)",
    unsubscribed: "Unsubscribed or complained",
    manual: "Added by hand",
  },
  source: "Source",
  since: "Since",
  lastSeen: "Last blocked send",
  neverSeen: "None yet",
  remove: "Remove",
  removeTitle: (email: string) => `Allow email to ${email} again?`,
  removeWords: {
    hard_bounce:
      "Its server permanently rejected email. If it still does, the next email bounces and hurts your reputation.",
    unsubscribed:
      "The person asked for no more email. Remove the entry only if they have asked to come back.",
    manual: "Someone on your team added it.",
  },
  removed: (email: string) => `Email to ${email} is allowed again.`,
  notPutBack: (email: string, why: string) => `${email} could not be put back on the list: ${why}`,
  none: "No suppressed addresses",
  noneWords:
    "Addresses are added after hard bounces and complaints. You can also add addresses yourself.",
  noMatch: "No matches",
  noMatchWords: "Search for the whole address, or clear the filters.",
  addresses: "Addresses, one per line",
  addressesHint: (most: string) => `Up to ${most}. Addresses already on the list are skipped.`,
  sourceHint: "A short note for your team on why you add them.",
  added: (added: number, skipped: number) =>
    `${plural(added, "address", "addresses")} added, ${formatNumber(skipped)} already there.`,
  rejected: "These are not email addresses:",
  unverified: "Unverified reports",
  unverifiedLead:
    "These bounce reports do not prove that they are about your email, so they suppressed no address. Review them and decide.",
  noUnverified: "No reports to review",
  noUnverifiedWords:
    "A report appears here when it names an address but does not prove an email that you sent.",
  kinds: { bounce: "Bounce", complaint: "Complaint" },
  words: "The server's reply",
  reports: "Reports",
  newest: "Latest",
  chosen: "Selection",
  suppress: (count: number) =>
    count === 0 ? "Suppress selected" : `Suppress ${plural(count, "address", "addresses")}`,
  chooseOne: "Select an address first.",
  choose: (email: string) => `Select ${email}`,
  suppressed: (count: number) => `${plural(count, "address", "addresses")} suppressed.`,
  toMail: "View email",
  back: "Back to list",
};
