import type { BatchFailure } from "../../../db/schema/index.ts";

export type { SendAnswer } from "../../../project-object.ts";

/** The outcomes of many mails. Every recipient is in exactly one of the four counts. */
export type Counts = {
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
};

/** The counts of a batch, and the first of its mails that were not sent. */
export interface BatchAnswer extends Counts {
  failures: BatchFailure[];
}
