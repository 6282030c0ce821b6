import type { OutgoingMessage } from "../../mail/smtp/index.ts";
import type { AddressOutcome } from "./outcome.ts";
import type { MailFacts, SettledMail } from "./settle.ts";

/**
 * A claimed mail with the message to send, or with its outcome if that is known without SMTP
 * (suppressed).
 */
export interface ClaimedMail {
  mail: MailFacts;
  next: { compose: () => Promise<OutgoingMessage> } | { decided: AddressOutcome };
}

/**
 * The record that lets a delivery survive a crash; each source of mail has its own. `advance`
 * records the outcomes of finished mails, keeps `inHand` recorded and claims up to `count` more (0:
 * none), all in one atomic write. No mail goes to SMTP before the write that claims it, so `inHand`
 * and the claimed mails are all whose outcome a crash leaves unknown. It throws when the lease was
 * lost. `hasMore` is false when there is nothing left to claim. A claim may be empty even while
 * `hasMore` is true.
 *
 * A write that claims may only note that mails were accepted, because it is frequent and the log is
 * expensive. `owesLog` is true while it did. A write with `count` 0 leaves nothing out of the log.
 */
export interface Ledger {
  brake?: Brake;
  advance(finished: SettledMail[], inHand: MailFacts[], count: number): Promise<ClaimedMail[]>;
  hasMore(): boolean;
  owesLog?(): boolean;
  /** The free places at which a write claims more, if not GROUP of claim-queue.ts. */
  groupSize?: number;
}

/** Stops a delivery whose outcomes are alarming. */
export interface Brake {
  /** Sees each outcome as soon as SMTP has it. */
  note(outcome: AddressOutcome): void;
  /** Returns false while too many mails are on their way to give SMTP another one. */
  mayGive(outstanding: number): boolean;
  /** Returns the reason of the stop, if there was one. Claimed mails then wait for a later try. */
  stopped(): string | undefined;
}

/** The accepted mails that a ledger notes before it logs them together. */
export const NOTED_MAX = 64;

/**
 * Returns true if a write must log everything: it claims nothing, a mail was not simply accepted,
 * or enough mails are noted.
 */
export function mustLog(finished: SettledMail[], noted: SettledMail[], count: number): boolean {
  return count === 0 || noted.length >= NOTED_MAX || !finished.every(isAccepted);
}

const isAccepted = ({ outcome: { main, copies } }: SettledMail) =>
  main.status === "sent" && copies.length === 0;
