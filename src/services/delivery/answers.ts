import type { BatchFailure } from "../../db/schema/index.ts";

/**
 * What became of one mail; `refused` is an SMTP failure, or an outcome nobody knows. A `transient`
 * failure is certain: the server did not take the mail for its address, and may take it another time.
 */
export type SendAnswer =
  | { kind: "sent"; id: string }
  | { kind: "suppressed"; id: string }
  | { kind: "refused"; id: string; error: string; failure?: "transient" };

/** What became of many mails: every recipient is in exactly one of the four counts. */
export type Counts = {
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
};

/** The counts of a batch, and the first of those who did not get their mail. */
export interface BatchAnswer extends Counts {
  failures: BatchFailure[];
}
