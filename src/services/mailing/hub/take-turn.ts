import type { MailsTo, Sign } from "../../../lib/permits/permit-messages.ts";
import { domainOf, type EmailAddress } from "../../../mail/address.ts";

/** The limits of the project's mail server, as its object counts them. */
export interface Gate {
  /**
   * Returns how many connections single mails may have, given how many are open and how many they
   * want.
   */
  connectionsMax: (open: number, wanted: number) => number;
  /** Returns true while workers that send to many hold connections. */
  areWorkersConnected: () => boolean;
  /**
   * Counts a mail to these domains and returns 0, or returns the time until the mail may be sent.
   */
  takeMails: (name: string, mails: MailsTo[]) => number;
  /** Takes note that the server asks for less mail or fewer connections. */
  learn: (sign: Sign) => void;
}

/** The longest wait of a mail for its turn. */
const WAIT_MAX_MS = 5_000;

/**
 * Waits until the limits of the mail server allow a mail, and counts it once for each recipient.
 * Returns 0. If the wait would be too long, returns the time until the mail may be sent and counts
 * nothing.
 */
export async function takeTurn(gate: Gate, name: string, recipients: string[]): Promise<number> {
  const byDomain = Map.groupBy(recipients, (address) => domainOf(address as EmailAddress));
  const mails = [...byDomain].map(([domain, { length }]): MailsTo => [domain, length]);
  for (let waitedMs = 0; ;) {
    const waitMs = gate.takeMails(name, mails);
    if (waitMs === 0) return 0;
    waitedMs += waitMs;
    if (waitedMs > WAIT_MAX_MS) return waitMs;
    await new Promise((resume) => setTimeout(resume, waitMs));
  }
}
