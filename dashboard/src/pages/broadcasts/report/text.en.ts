import { plural } from "../../../lib/format.ts";

export const en = {
  ofRecipients: (percent: string) => `${percent} of recipients`,
  ofDelivered: (percent: string) => `${percent} of delivered`,
  opensOf: (count: number, bots: string) =>
    `${plural(count, "open", "opens")}, of which ${bots} by bots and mail apps`,
  clicksOf: (count: number, bots: string) =>
    `${plural(count, "click", "clicks")}, of which ${bots} by bots and mail apps`,
  recipients: "Recipients",
  rateHint: "Opens and clicks count each person once. Rates are percentages of delivered emails.",
  allSettled: (total: string) => `All ${total} processed`,
  waitsForLimit: (next: string) => `Waiting for your limit, continues at ${next}`,
  mail: "The email",
  mailFrame: "The email that was sent",
  from: "From",
  variant: "Variant",
  noHtml: "This email has no HTML part.",
  clicksOnLink: (count: number, percent: string) =>
    `${plural(count, "click", "clicks")} · ${percent}`,
  clicksHint: "Each link shows its clicks by people and its share of all clicks.",
  archive: "Archive",
  inArchive: "Show in the public archive",
  inArchiveHint:
    "Anybody can read it there, without the data of any subscriber. A change shows within five minutes.",
  comparison: "Comparison",
  comparisonHint: (count: number) =>
    `Compared with ${plural(count, "broadcast", "broadcasts")}. Rates are percentages of delivered emails; the bounce rate also counts bounced emails.`,
  firstOne: "There are no other broadcasts to compare with yet.",
  thisOne: "This broadcast",
  median: "Median",
  delivered: "Delivered",
  opened: "Opened",
  clicked: "Clicked",
  unsubscribed: "Unsubscribed",
  bounced: "Bounced",
};
