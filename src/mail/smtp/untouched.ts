import type { RecipientResult, SendResult } from "./message.ts";
import { SERVICE_CLOSING } from "./reply.ts";

/*
 * The line before which another server may take a message: no server has begun to take its content.
 */

const BEFORE_CONTENT: ReadonlySet<RecipientResult["phase"]> = new Set([
  "connect",
  "tls",
  "auth",
  "mail",
  "rcpt",
]);

/**
 * Returns true when no session opened for a message, or its session ended, with a 421 or without a
 * word, before it came to DATA or BDAT.
 */
export function isUntouched(result: SendResult): boolean {
  if (hasBegun(result)) return false;
  return result.recipients.every(
    ({ outcome, reply }) => outcome === "not_sent" || reply?.code === SERVICE_CLOSING,
  );
}

/** Returns true if the content of a message may have been begun. */
export function hasBegun({ recipients, hasContent = false }: SendResult): boolean {
  return hasContent || recipients.some(({ phase }) => !BEFORE_CONTENT.has(phase));
}

/**
 * Returns true when a message was certainly not accepted because its session ended, so that another
 * session may take it.
 */
export function isWorthAnotherSession({ sessionUsable, recipients }: SendResult): boolean {
  return (
    !sessionUsable &&
    recipients.every(
      ({ outcome, reply }) => outcome === "not_sent" || reply?.code === SERVICE_CLOSING,
    )
  );
}
