import { formatNumber, plural } from "../../lib/format.ts";

export const en = {
  title: "Suppressions",
  lead: "No mail of this project goes to these addresses, whoever sends it.",
  add: "Add addresses",
  email: "Email",
  reason: "Reason",
  reasons: {
    hard_bounce: "Mail can never arrive",
    unsubscribed: "Unsubscribed or complained",
    manual: "Added by hand",
  },
  source: "Source",
  since: "Since",
  lastSeen: "Last held back",
  remove: "Remove",
  removeTitle: (email: string) => `Let mail go to ${email} again?`,
  removeWords: {
    hard_bounce:
      "Its server said that mail can never arrive. If that is still so, the next mail bounces and hurts your reputation.",
    unsubscribed:
      "The person asked for no more mail. Remove the entry only if they asked to come back.",
    manual: "Somebody on your team put it here.",
  },
  removed: (email: string) => `Mail goes to ${email} again.`,
  notPutBack: (email: string, why: string) => `${email} is not on the list again: ${why}`,
  none: "Nobody is suppressed",
  noneWords:
    "Hard bounces and complaints put addresses here. You can also add addresses that must get no mail.",
  noMatch: "No address matches",
  noMatchWords: "Search for the whole address, or clear the filters.",
  addresses: "Addresses, one a line",
  addressesHint: (most: string) => `Up to ${most}. Addresses already on the list are skipped.`,
  sourceHint: "Why, in a few words: for your team.",
  added: (added: number, skipped: number) =>
    `${plural(added, "address", "addresses")} added, ${formatNumber(skipped)} already there.`,
  rejected: "These are not addresses:",
  unverified: "Unverified reports",
  unverifiedLead:
    "These bounce reports prove no mail of yours, so they suppressed nobody. Read them and decide.",
  noUnverified: "No reports wait for you",
  noUnverifiedWords:
    "A report appears here when it names an address but proves no mail that you sent.",
  kinds: { bounce: "bounce", complaint: "complaint" },
  words: "The server's words",
  reports: "Reports",
  newest: "Newest",
  chosen: "Choice",
  suppress: (count: number) =>
    count === 0 ? "Suppress the chosen ones" : `Suppress ${plural(count, "address", "addresses")}`,
  chooseOne: "Choose an address first.",
  choose: (email: string) => `Choose ${email}`,
  suppressed: (count: number) => `${plural(count, "address", "addresses")} suppressed.`,
  toMail: "the mail",
  back: "Back to the list",
};
