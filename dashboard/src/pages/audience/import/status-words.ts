import type { Mapping } from "./list-import.ts";

export type StatusMeanings = NonNullable<NonNullable<Mapping["status"]>["values"]>;

export const OUTCOMES = [
  "active",
  "pending",
  "unsubscribed",
  "opted_out",
  "bounced",
  "complained",
  "blocked",
  "ignored",
] as const;

/** Names that other services use for the outcomes. */
const WORDS: Record<string, (typeof OUTCOMES)[number]> = {
  active: "active",
  subscribed: "active",
  confirmed: "active",
  enabled: "active",
  pending: "pending",
  unconfirmed: "pending",
  unsubscribed: "unsubscribed",
  bounced: "bounced",
  cleaned: "bounced",
  complained: "complained",
  spam: "complained",
  blocked: "blocked",
  blocklisted: "blocked",
};

/** Guesses the meaning of status texts; rows with an unknown text are rejected. */
export const guessOutcomes = (values: readonly string[]): StatusMeanings =>
  Object.fromEntries(
    values.flatMap((value) => {
      const outcome = WORDS[value];
      return outcome ? [[value, outcome]] : [];
    }),
  );

/** Returns true if each of the texts is a known status. */
export const areStatuses = (words: readonly string[]): boolean =>
  words.length > 0 && Object.keys(guessOutcomes(words)).length === words.length;

/** Returns the distinct texts of a column, up to a number that a user can reasonably map. */
export const wordsOf = (values: readonly string[]): string[] =>
  [...new Set(values.map((value) => value.toLowerCase()))].slice(0, MOST_WORDS);

const MOST_WORDS = 30;
