import type { AddressOutcome, Retry } from "./outcome.ts";

/** The chunk that a sender works on, and the claim by which it holds it. */
export interface JournalWork {
  broadcastId: string;
  afterId: string;
  leaseToken: string;
}

/** An outcome: the id of a recipient whose mail was accepted, or any other outcome with its id. */
export type Noted = string | [id: string, outcome: AddressOutcome, retry: Retry | null];

/** What one write of the journal records. */
export interface JournalEntry {
  /** The recipients whose mail may be on its way from now on. */
  begun: string[];
  /** The outcomes since the last entry. */
  done: Noted[];
  cursorId: string;
}

/** What a sender left that died: its work, and the entries about it, oldest first. */
export interface Left {
  work: JournalWork;
  entries: { n: number; entry: string }[];
}

/** The journal of a sender (durable/journal.ts). */
export interface MailJournal {
  /** The number of the last entry. */
  readonly last: number;
  /** The number of entries that it keeps. */
  readonly spare: number;
  /** Writes an entry. Resolves with its number once it is durable. */
  write: (entry: string) => Promise<number>;
  /** Notes the work to which the next entries belong. */
  begin: (work: JournalWork) => void;
  /** Notes that no work is in hand: D1 has everything about it. */
  end: () => void;
  left: () => Left | undefined;
}
