import type { OutgoingMessage } from "../../mail/smtp/index.ts";
import type { Message } from "../../messages/message.ts";
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
 * The record that lets a delivery survive a crash. Each source of mail has its own. `advance`
 * records the outcomes of finished mails, keeps `inHand` recorded and claims up to `count` more (0:
 * none), all in one atomic write. No mail goes to SMTP before the write that claims it. So only the
 * mails in `inHand` and the claimed ones can have an unknown outcome after a crash. `advance`
 * throws when the lease was lost. `hasMore` is false when there is nothing left to claim. A claim
 * may be empty even while `hasMore` is true.
 *
 * A write that claims may only note that mails were accepted, because such writes are frequent and
 * log entries are expensive. `owesLog` is true as long as noted mails are not in the log. A write
 * with `count` 0 logs everything.
 */
export interface Ledger {
  autoPause?: AutoPause;
  advance(finished: SettledMail[], inHand: MailFacts[], count: number): Promise<ClaimedMail[]>;
  hasMore(): boolean;
  owesLog?(): boolean;
  /**
   * The number of free places at which a write claims more, if it differs from GROUP in
   * claim-queue.ts.
   */
  groupSize?: number;
}

/** Stops a delivery whose outcomes are alarming. */
export interface AutoPause {
  /** Sees each outcome as soon as SMTP has it. */
  note(outcome: AddressOutcome): void;
  /** Returns false while too many mails are already on their way to give SMTP another one. */
  mayGive(outstanding: number): boolean;
  /**
   * Returns the reason why the auto-pause has stopped, if it has. Claimed mails then wait for a later
   * attempt.
   */
  stopped(): Message | undefined;
}

/** The number of accepted mails that a ledger notes before it logs them together. */
export const NOTED_MAX = 64;

/**
 * Returns true if a write must log everything: it claims nothing, a mail has any outcome other than
 * plain acceptance, or enough mails are noted.
 */
export function mustLog(finished: SettledMail[], noted: SettledMail[], count: number): boolean {
  return count === 0 || noted.length >= NOTED_MAX || !finished.every(isAccepted);
}

const isAccepted = ({ outcome: { main, copies } }: SettledMail) =>
  main.status === "sent" && copies.length === 0;
