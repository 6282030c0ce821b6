import type { BatchFailure, InFlight } from "../../db/schema/index.ts";
import { OUTCOME_UNKNOWN } from "./outcome.ts";
import type { SettledMail } from "./settle.ts";

/** Failures that the answer of a batch names; its counts hold all of them. */
const MAX_FAILURES = 100;
/** The answer and every write of a running batch carry the reasons, so they are bounded. */
const MAX_ERROR_CHARACTERS = 500;

/** Names the settled mails that were not sent, in the order in which they were settled. */
export function failuresOf(settled: SettledMail[]): BatchFailure[] {
  return settled.flatMap(({ outcome: { main } }) => {
    const { email: to, status, error } = main;
    if (status === "sent") return [];
    return [{ to, status, error: (error ?? "").slice(0, MAX_ERROR_CHARACTERS) }];
  });
}

/** Names the mails that a dead worker had in hand. */
export function unknownFailures(inFlight: InFlight[]): BatchFailure[] {
  return inFlight.map(({ toEmail: to }) => ({ to, status: "failed", error: OUTCOME_UNKNOWN }));
}

/** Adds failures to those that are known; the first ones stay. */
export function withFailures(known: BatchFailure[] | null, more: BatchFailure[]): BatchFailure[] {
  return [...(known ?? []), ...more].slice(0, MAX_FAILURES);
}
