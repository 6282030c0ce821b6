import type { BatchFailure } from "../../../db/schema/index.ts";

/**
 * The answer to the send of one mail. `refused` is an SMTP failure or an unknown outcome. A
 * `transient` failure is certain: the server did not accept the mail for its address and may accept
 * it later.
 */
export type SendAnswer =
  | { kind: "sent"; id: string }
  | { kind: "suppressed"; id: string }
  | { kind: "refused"; id: string; error: string; failure?: "transient" };

/** The outcomes of many mails. Every recipient is in exactly one of the four counts. */
export type Counts = {
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
};

/** The counts of a batch and the first of its mails that were not sent. */
export interface BatchAnswer extends Counts {
  failures: BatchFailure[];
}
