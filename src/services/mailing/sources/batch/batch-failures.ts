import type { BatchFailure, InFlight } from "../../../../db/schema/index.ts";
import { OUTCOME_UNKNOWN } from "../../outcome.ts";
import type { SettledMail } from "../../settle.ts";

/** The failures that the answer of a batch names. Its counts include all of them. */
const MAX_FAILURES = 100;
/** The length of one reason. The answer and every write of a running batch carry the reasons. */
const MAX_ERROR_CHARACTERS = 500;

/** Returns the failures of the settled mails that were not sent, in the order of settling. */
export function failuresOf(settled: SettledMail[]): BatchFailure[] {
  return settled.flatMap(({ outcome: { main } }) => {
    const { email: to, status, error } = main;
    if (status === "sent") return [];
    return [{ to, status, error: (error ?? "").slice(0, MAX_ERROR_CHARACTERS) }];
  });
}

/** Returns the failures of the mails that a dead worker had in hand. */
export function unknownFailures(inFlight: InFlight[]): BatchFailure[] {
  return inFlight.map(({ toEmail: to }) => ({ to, status: "failed", error: OUTCOME_UNKNOWN }));
}

/** Adds failures to the known ones. The first ones stay. */
export function withFailures(known: BatchFailure[] | null, more: BatchFailure[]): BatchFailure[] {
  return [...(known ?? []), ...more].slice(0, MAX_FAILURES);
}
