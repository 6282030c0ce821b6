import { domainOf, parseMailbox, type EmailAddress } from "../../mail/address.ts";
import { MOST_TOPICS } from "../topics/index.ts";
import {
  isRefusal,
  stricter,
  type ListFault,
  type ListRow,
  type Outcome,
  type Refusal,
} from "./list-row.ts";
import type { RefusedDomains } from "./refused-domains.ts";

/** A reason to reject a row of a list. */
export type ListReason = ListFault | "invalid_syntax" | "no_mx" | "disposable";

/** A row with an address and an outcome, or the reason to reject it. */
export type Judged =
  | { email: EmailAddress; outcome: Outcome; row: ListRow }
  | { reason: ListReason; row: ListRow };

/** Facts about an entire list that are needed to judge its rows. */
export interface ListFacts {
  rows: number;
  /** The number of rows by domain, of addresses that would be mailed. */
  weights: Map<string, number>;
  /** The most severe opt-out or rejection of an address, which overrides its other rows. */
  refusals: Map<EmailAddress, Refusal>;
  /** Addresses with a row of unknown status, which are not added as subscribers. */
  unclear: Set<EmailAddress>;
  /** Topics of rows, up to one more than a project can have names of, with the first line of each. */
  topics: Map<string, number>;
  /** True if an address would be suppressed. */
  suppresses: boolean;
}

/** Reads a list once to collect the facts needed to judge its rows. */
export function surveyList(rows: Iterable<ListRow>): ListFacts {
  const weights = new Map<string, number>();
  const refusals = new Map<EmailAddress, Refusal>();
  const unclear = new Set<EmailAddress>();
  const topics = new Map<string, number>();
  let count = 0;
  let suppresses = false;
  for (const row of rows) {
    count += 1;
    for (const topic of row.topics ?? [])
      if (topics.size <= 2 * MOST_TOPICS && !topics.has(topic)) topics.set(topic, row.line);
    const parsed = parseMailbox(row.email);
    if (!parsed.ok) continue;
    const { address } = parsed.mailbox;
    if (isRefusal(row.outcome)) {
      refusals.set(address, stricter(row.outcome, refusals.get(address)));
      suppresses ||= row.outcome !== "unsubscribed";
    } else if (row.outcome === "invalid_status") {
      unclear.add(address);
    } else if (row.outcome === "active" || row.outcome === "pending") {
      const domain = domainOf(address);
      weights.set(domain, (weights.get(domain) ?? 0) + 1);
    }
  }
  return { rows: count, weights, refusals, unclear, topics, suppresses };
}

/**
 * Yields each row with the outcome for its address. Of several rows for one address, the first
 * counts, except that a refusal in any of them wins. The domain of a refusal is not checked,
 * because a refusal must not be lost.
 */
export function* judgeList(
  rows: Iterable<ListRow>,
  { refusals, unclear }: ListFacts,
  refusedDomains: RefusedDomains,
): Generator<Judged | undefined> {
  const seen = new Set<EmailAddress>();
  for (const row of rows) {
    const parsed = parseMailbox(row.email);
    const refusal = parsed.ok ? refusals.get(parsed.mailbox.address) : undefined;
    if (!parsed.ok) {
      yield { reason: "invalid_syntax", row };
    } else if (seen.has(parsed.mailbox.address)) {
      yield undefined;
    } else if (refusal) {
      seen.add(parsed.mailbox.address);
      yield { email: parsed.mailbox.address, outcome: refusal, row };
    } else if (unclear.has(parsed.mailbox.address)) {
      yield { reason: "invalid_status", row };
    } else if (row.outcome === "invalid_status" || row.outcome === "invalid_metadata") {
      yield { reason: row.outcome, row };
    } else {
      const reason =
        row.outcome === "ignored"
          ? undefined
          : refusedDomains.get(domainOf(parsed.mailbox.address));
      if (reason) {
        yield { reason, row };
      } else {
        seen.add(parsed.mailbox.address);
        yield { email: parsed.mailbox.address, outcome: row.outcome, row };
      }
    }
  }
}
