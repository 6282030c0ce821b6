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
 * settles finished mails, keeps `inHand` recorded and claims up to `count` more (0: none), all in
 * one atomic write. It throws when the lease was lost. `hasMore` is false when there is nothing left
 * to claim. A claim may be empty even while `hasMore` is true.
 */
export interface Ledger {
  advance(settled: SettledMail[], inHand: MailFacts[], count: number): Promise<ClaimedMail[]>;
  hasMore(): boolean;
}
