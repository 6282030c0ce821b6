import type { OutgoingMessage } from "../../mail/smtp/index.ts";
import type { Message } from "../../messages/message.ts";
import type { AddressOutcome, MailOutcome } from "./outcome.ts";
import type { MailFacts, FinishedMail } from "./record.ts";

/**
 * A claimed mail with the message to send, or with its outcome if that is known without SMTP
 * (suppressed).
 */
export interface ClaimedMail {
  mail: MailFacts;
  next: { compose: () => Promise<OutgoingMessage> } | { decided: AddressOutcome };
}

/**
 * The record that lets a delivery survive a crash. `advance` notes the outcomes of finished mails,
 * keeps `inHand` noted and claims up to `count` more (0: none), all in one durable write. No mail
 * goes to SMTP before the write that claims it. So only the mails in `inHand` and the claimed ones
 * can have an unknown outcome after a crash. `advance` throws when the claim was lost. `hasMore` is
 * false when there is nothing left to claim. A claim may be empty even while `hasMore` is true.
 *
 * Noted outcomes reach the log later, many at a time. `owesLog` is true as long as some have not. A
 * write with `count` 0 and nothing in hand logs all of them.
 */
export interface Ledger {
  autoPause?: AutoPause;
  advance(finished: FinishedMail[], inHand: MailFacts[], count: number): Promise<ClaimedMail[]>;
  hasMore(): boolean;
  owesLog?(): boolean;
}

/** Stops a delivery whose outcomes are alarming. */
export interface AutoPause {
  /** Sees each outcome as soon as SMTP has it. */
  note(outcome: MailOutcome): void;
  /** Returns false while too many mails are already on their way to give SMTP another one. */
  mayGive(outstanding: number): boolean;
  /**
   * Returns the reason why the auto-pause has stopped, if it has. Claimed mails then wait for a
   * later attempt.
   */
  stopped(): Message | undefined;
}
