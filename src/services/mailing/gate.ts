import { refusal, type AppError } from "../../errors.ts";
import type { MailsTo, Pace, Sign, Wait } from "../../lib/rates/rate-types.ts";
import { domainOf, type EmailAddress } from "../../mail/address.ts";

/** The limits of the project's mail server, as its object counts them. */
export interface Gate {
  /** Returns the connections that the server allows now. */
  connectionsMax: () => number;
  /** Counts a single mail and returns 0, or returns the time until it may be sent. */
  takeSingle: (name: string, mails: MailsTo[]) => number;
  /** Counts a mail of a broadcast or batch and returns undefined, or returns its wait. */
  takeBulk: (domain: string, pace: Pace | undefined) => Wait | undefined;
  /** The mails that wait for the limits now. */
  waiting: number;
  /** Takes note that the server asks for less mail or fewer connections. */
  learn: (sign: Sign) => void;
}

/** The longest wait of a mail for the limits of its server. */
const WAIT_MAX_MS = 5_000;

/** The shortest wait of a mail of a broadcast or batch, which looks again after it. */
const WAIT_MIN_MS = 20;

/** Lets one mail wait. */
async function pause(gate: Gate, ms: number): Promise<void> {
  gate.waiting += 1;
  await new Promise<void>((resume) => setTimeout(resume, ms));
  gate.waiting -= 1;
}

/**
 * Waits until the limits of the mail server allow a single mail, and counts it once for each
 * recipient. Throws mail_server_limit_reached if the wait would be too long, and counts nothing.
 */
export async function admitSingle(gate: Gate, name: string, recipients: string[]): Promise<void> {
  const byDomain = Map.groupBy(recipients, (address) => domainOf(address as EmailAddress));
  const mails = [...byDomain].map(([domain, { length }]): MailsTo => [domain, length]);
  for (let waitedMs = 0; ;) {
    const waitMs = gate.takeSingle(name, mails);
    if (waitMs === 0) return;
    waitedMs += waitMs;
    if (waitedMs > WAIT_MAX_MS) throw limitReached(waitMs);
    await pause(gate, waitMs);
  }
}

function limitReached(waitMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return refusal("mail_server_limit_reached", {}, { retryAfterSeconds });
}

/** The answer to a mail: it may go now, or has to wait, or its sender does not wait any longer. */
export type Admission = "go" | "too_late" | Wait;

/**
 * Waits until the limits allow one mail of a broadcast or batch, and counts it. Returns the wait
 * instead if that would take long, or "too_late" once `isOver` returns true.
 */
export async function admitBulk(
  gate: Gate,
  { domain, pace }: { domain: string; pace: Pace | undefined },
  isOver: () => boolean,
): Promise<Admission> {
  for (;;) {
    const wait = gate.takeBulk(domain, pace);
    if (!wait) return "go";
    if (wait.waitMs > WAIT_MAX_MS) return wait;
    if (isOver()) return "too_late";
    await pause(gate, Math.max(WAIT_MIN_MS, wait.waitMs));
  }
}
