import type { MailsTo, Sign } from "../../../lib/permits/permit-messages.ts";
import { domainOf, type EmailAddress } from "../../../mail/address.ts";
import { SmtpConnectError } from "../../../mail/smtp/index.ts";

/** The limits of the project's mail server, as its object counts them. */
export interface Gate {
  /** Returns how many connections single mails may have, given those that they have and want. */
  connectionsMax: (open: number, wanted: number) => number;
  /** Counts a mail to these domains and returns 0, or returns the time until it may go. */
  takeMails: (name: string, mails: MailsTo[]) => number;
  /** Learns that the server asks for less. */
  learn: (sign: Sign) => void;
}

/** The longest wait of a mail for its turn. */
const WAIT_MAX_MS = 5_000;

/**
 * Waits until the limits of the mail server let a mail go. It counts once for each recipient.
 * Throws SmtpConnectError, which is temporary, when that takes too long.
 */
export async function takeTurn(gate: Gate, name: string, recipients: string[]): Promise<void> {
  const byDomain = Map.groupBy(recipients, (address) => domainOf(address as EmailAddress));
  const mails = [...byDomain].map(([domain, { length }]): MailsTo => [domain, length]);
  for (let waitedMs = 0; ;) {
    const waitMs = gate.takeMails(name, mails);
    if (waitMs === 0) return;
    waitedMs += waitMs;
    if (waitedMs > WAIT_MAX_MS) throw noTurn(waitMs);
    await new Promise((resume) => setTimeout(resume, waitMs));
  }
}

function noTurn(waitMs: number): SmtpConnectError {
  const seconds = Math.ceil(waitMs / 1_000);
  return new SmtpConnectError(
    `the limits of this project's mail server allow the next mail in ${seconds} seconds`,
    { phase: "connect", step: "connect", temporary: true },
  );
}
