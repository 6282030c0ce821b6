import { plural } from "../../../lib/format.ts";

/** Values that a translation needs to describe the result of an A/B test. */
export interface TrialResult {
  summary: string;
  leader: string | null;
  /** Probability that the leader is better than the runner-up. */
  certainty: number | null;
}

export const en = {
  trial: "A/B test",
  trialWords:
    "Send several variants to part of your audience. The best one goes to everyone else. An A/B test is sent at one time, so it cannot use recipient time zones.",
  addTrial: "Add an A/B test",
  addVariant: "Add variant",
  asBroadcast: "Same as the broadcast",
  variantFrom: (letter: string) => `Sender name ${letter}`,
  variantTemplate: (letter: string) => `Template ${letter}`,
  removeVariant: (letter: string) => `Remove variant ${letter}`,
  dropTrial: "Remove A/B test",
  variant: (letter: string) => `Subject ${letter}`,
  share: "Size of the test, in percent of the audience",
  waitHours: "Length of the test, in hours",
  winnerBy: "Choose the winner by",
  metrics: {
    opens: "Opens by people",
    clicks: "Clicks by people",
    manual: "My own choice",
  },
  decidesAt: (at: string) => `The winner is chosen at ${at}.`,
  decidesLater: "The test time starts when everyone in the test has the email.",
  decidesByHand: "Everyone else waits until you choose the winner.",
  /** The service's summary is already in English. */
  trialResult: ({ summary }: TrialResult) => summary,
  winner: "Winner",
  leads: "Ahead",
  choose: "Choose",
  chooseVariant: (letter: string) => `Choose ${letter}`,
  chooseTitle: (letter: string) => `Send ${letter} to everyone else?`,
  chooseWords:
    "This variant goes to everyone who has not received one yet. You cannot change this later.",
  mailsOf: (letter: string, count: number) =>
    `${plural(count, "email", "emails")} of variant ${letter}`,
  trialCounts: { mailed: "Sent", opened_human: "Opened", clicked_human: "Clicked" },
  remove: "Remove",
  subject: "Subject",
};
