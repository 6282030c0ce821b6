import { failed, OUTCOME_UNKNOWN, type AddressOutcome } from "../outcome.ts";
import type { LoggedOutcome } from "../settle.ts";
import type { OperationRow } from "./operation-queries.ts";

/**
 * Returns the outcomes of the mails that a dead worker left: the outcomes that it noted, and
 * "outcome unknown" for the mails in hand.
 */
export function outcomesLeft({ inFlight }: Pick<OperationRow, "inFlight">): LoggedOutcome[] {
  return inFlight.map(({ toEmail, outcome, ...mail }) => ({
    mail: { ...mail, tags: null, broadcastId: null },
    outcome: {
      // A batch of an earlier version took the outcome from one of this type.
      main: outcome
        ? ({ email: toEmail, ...outcome } as AddressOutcome)
        : failed(toEmail, OUTCOME_UNKNOWN),
      copies: [],
    },
  }));
}

/** Returns the number of mails that a dead worker had in hand. */
export function countUnknown({ inFlight }: Pick<OperationRow, "inFlight">): number {
  return inFlight.filter(({ outcome }) => !outcome).length;
}
