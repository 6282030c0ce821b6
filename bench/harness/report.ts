/** A goal with its measured value. */
export interface Goal {
  what: string;
  measured: number;
  /** "at_least" for a lower limit, "at_most" for an upper one. */
  kind: "at_least" | "at_most";
  limit: number;
}

/** Results of one part of the benchmark: a table and its goals. */
export interface PartResult {
  title: string;
  columns: string[];
  rows: (string | number | undefined)[][];
  goals: Goal[];
  notes?: string[];
}

/** Sizes and repetitions; a trial run uses smaller ones, and its results are not saved. */
export interface Sizes {
  recipients: number;
  rounds: number;
  roundTripsMs: number[];
  /**
   * Maximum duration of a peer's run: latency makes its rate constant, so it need not send all
   * mails.
   */
  peerSeconds: number;
  loadSeconds: number;
  sends: number;
  growth: number[];
  /** Recipients of the long broadcast, and mails in each of the peer's two runs around it. */
  longList: number;
  longListPeer: number;
  logRows: number[];
  importRows: number;
  /** Subscribers in the segments project, a multiple of 1,000. */
  audience: number;
  storedMails: number;
  /** Subscribers in the list that the dashboard pages through. */
  listRows: number;
  /** People who go through the series of the automation, a multiple of 1,000. */
  travellers: number;
}

export const FULL: Sizes = {
  recipients: 2_000,
  rounds: 3,
  roundTripsMs: [0, 20, 50],
  peerSeconds: 6,
  loadSeconds: 2,
  sends: 200,
  growth: [1_000, 10_000, 50_000],
  longList: 150_000,
  longListPeer: 20_000,
  logRows: [10_000, 1_000_000],
  importRows: 50_000,
  audience: 1_000_000,
  storedMails: 1_000_000,
  listRows: 100_000,
  travellers: 100_000,
};

/** Sizes for a quick trial of the benchmark itself; its figures are not meaningful. */
export const QUICK: Sizes = {
  recipients: 200,
  rounds: 1,
  roundTripsMs: [0, 20],
  peerSeconds: 1.5,
  loadSeconds: 0.7,
  sends: 20,
  growth: [100, 300],
  longList: 3_000,
  longListPeer: 500,
  logRows: [1_000, 5_000],
  importRows: 500,
  audience: 10_000,
  storedMails: 20_000,
  listRows: 5_000,
  travellers: 2_000,
};

export const isMet = ({ measured, kind, limit }: Goal): boolean =>
  kind === "at_least" ? measured >= limit : measured <= limit;
