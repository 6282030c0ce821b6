import type { SubscriberFields } from "../../db/subscriber-columns.ts";
import type { SubscriberStatus } from "./queries.ts";

/**
 * The outcomes of an address of a list from another service (API reference §12.11). The first three
 * are statuses of subscribers. `opted_out` left all mail of the sender, `blocked` was shut out by a
 * person, and `ignored` is neither a subscriber nor a reason to suppress.
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

/** The faults in a list's own content that make a row unusable. */
export type ListFault = "invalid_status" | "invalid_metadata";

/** A row of a list from another service. */
export interface ListRow extends SubscriberFields {
  /** The email as it is in the list. It may be unusable. */
  email: string;
  outcome: Outcome | ListFault;
  /** Its line in the file, counted from 1. */
  line: number;
}

/** Outcomes by which a person or a server refused mail, the weightiest first. */
const REFUSALS = ["complained", "opted_out", "blocked", "bounced", "unsubscribed"] as const;
export type Refusal = (typeof REFUSALS)[number];

const RANKS: ReadonlyMap<string, number> = new Map(REFUSALS.map((one, rank) => [one, rank]));

export const isRefusal = (outcome: ListRow["outcome"]): outcome is Refusal => RANKS.has(outcome);

/** Returns the refusal that outweighs the other. */
export function stricter(one: Refusal, other: Refusal | undefined): Refusal {
  if (other === undefined) return one;
  return (RANKS.get(one) ?? 0) < (RANKS.get(other) ?? 0) ? one : other;
}

/**
 * Returns the status of a new subscriber with this outcome. Undefined if the outcome makes no
 * subscriber.
 */
export function statusOf(outcome: Outcome): SubscriberStatus | undefined {
  return outcome === "active" || outcome === "pending" || outcome === "unsubscribed"
    ? outcome
    : undefined;
}
