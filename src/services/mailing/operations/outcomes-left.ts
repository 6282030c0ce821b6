import type { InFlight } from "../../../db/schema/index.ts";
import { failed, OUTCOME_UNKNOWN, type AddressOutcome } from "../outcome.ts";
import { inFlightOf, type LoggedOutcome, type SettledMail } from "../settle.ts";
import type { OperationRow } from "./operation-queries.ts";

/** The length of one noted error. Every write of a running batch carries up to 64 of them. */
const MAX_ERROR_CHARACTERS = 500;

/** Returns the record of a mail whose outcome waits to be logged with others. */
export function notedMail({ mail, outcome: { main } }: SettledMail): InFlight {
  const { status, error, reason, viaFallback } = main;
  const said = { status, error: error?.slice(0, MAX_ERROR_CHARACTERS) ?? null };
  const noted = viaFallback ? { ...said, viaFallback } : said;
  return { ...inFlightOf(mail), outcome: reason ? { ...noted, reason } : noted };
}

/**
 * Returns the outcomes of the mails that a dead worker left: those that it noted, and "outcome
 * unknown" for those in hand.
 */
export function outcomesLeft({ inFlight }: Pick<OperationRow, "inFlight">): LoggedOutcome[] {
  return inFlight.map(({ toEmail, outcome, ...mail }) => ({
    mail: { ...mail, tags: null, broadcastId: null },
    outcome: {
      // `notedMail` took the outcome from one of this type.
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
