import { AppError } from "../../errors.ts";
import type { OutgoingMessage } from "../../mail/smtp/index.ts";
import type { ClaimedMail, Ledger } from "./ledger.ts";
import { failed, type AddressOutcome } from "./outcome.ts";
import type { MailFacts } from "./settle.ts";

/**
 * Returns the message of a claimed mail, or its outcome. If the auto-pause has stopped the delivery, the
 * mail is put off.
 */
export async function decideOrCompose(
  ledger: Ledger,
  { mail, next }: ClaimedMail,
): Promise<OutgoingMessage | AddressOutcome> {
  if ("decided" in next) return next.decided;
  const reason = ledger.autoPause?.stopped();
  if (reason === undefined) return composeOrFail(mail, next.compose);
  return {
    ...failed(mail.to.address, reason.message),
    isTransient: true,
    hadNoSession: true,
    isAutoPaused: true,
  };
}

/**
 * Composes one mail. If it cannot be composed (a broken header, invalid HTML), only this mail
 * fails.
 */
async function composeOrFail(
  mail: MailFacts,
  compose: () => Promise<OutgoingMessage>,
): Promise<OutgoingMessage | AddressOutcome> {
  try {
    return await compose();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return failed(mail.to.address, error.message);
  }
}
