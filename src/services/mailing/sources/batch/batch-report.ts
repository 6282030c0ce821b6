import type { BatchFailure } from "../../../../db/schema/index.ts";
import type { Counts } from "../answers.ts";

/** The end of a batch as the worker of its last chunk saw it, and the failures of that worker. */
export interface BatchReport {
  /** The counts of the finished batch; undefined while others may work on it. */
  counts?: Counts;
  failures: BatchFailure[];
}

/** Returns the number of recipients that did not get the mail. */
export const countFailures = ({ failed, bounced, suppressed }: Counts) =>
  failed + bounced + suppressed;
