import type { SubscriberFields } from "../../db/subscriber-columns.ts";
import type { SubscriberStatus } from "./queries.ts";

/**
 * The outcomes of an address in a list from another service (API reference §12.11). The first three
 * are statuses of subscribers. `opted_out` has unsubscribed from all mail of the sender, `blocked`
 * was blocked by a person, and `ignored` is neither a subscriber nor a reason to suppress.
 */
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
export type Outcome = (typeof OUTCOMES)[number];

/** The errors in a list that make a row unusable. */
export type ListFault = "invalid_status" | "invalid_metadata";

/** A row of a list from another service. */
export interface ListRow extends SubscriberFields {
  /** The email as given, possibly unusable. */
  email: string;
  outcome: Outcome | ListFault;
  /** The topics to which a new subscriber consents, by id or name; undefined if the row names none. */
  topics: string[] | undefined;
  /** Its 1-based line in the file. */
  line: number;
}

/** Outcomes in which a person or a server refused mail, most severe first. */
const REFUSALS = ["complained", "opted_out", "blocked", "bounced", "unsubscribed"] as const;
export type Refusal = (typeof REFUSALS)[number];

const RANKS: ReadonlyMap<string, number> = new Map(REFUSALS.map((one, rank) => [one, rank]));

export const isRefusal = (outcome: ListRow["outcome"]): outcome is Refusal => RANKS.has(outcome);

/** Returns the more severe of two refusals. */
export function stricter(one: Refusal, other: Refusal | undefined): Refusal {
  if (other === undefined) return one;
  return (RANKS.get(one) ?? 0) < (RANKS.get(other) ?? 0) ? one : other;
}

/**
 * Returns the status of a new subscriber with this outcome; undefined if the outcome adds no
 * subscriber.
 */
export function statusOf(outcome: Outcome): SubscriberStatus | undefined {
  return outcome === "active" || outcome === "pending" || outcome === "unsubscribed"
    ? outcome
    : undefined;
}
