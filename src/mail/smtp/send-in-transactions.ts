import { SmtpConnectError } from "./connect-error.ts";
import type { OutgoingMessage, RecipientResult, SendResult } from "./message.ts";

/** The replies of a server that takes no more recipients (RFC 5321 section 4.5.3.1.10). */
const TOO_MANY_CODES = new Set([452, 552]);
const TOO_MANY_ENHANCED = /\.5\.3$/;

/**
 * Sends a message, and again to those for whom a transaction had no room. Each transaction reaches
 * somebody, so that there is an end.
 */
export async function sendInTransactions(
  message: OutgoingMessage,
  send: (message: OutgoingMessage) => Promise<SendResult>,
): Promise<SendResult> {
  const result = await send(message);
  const left = result.recipients.filter(hadNoRoom).map(({ address }) => address);
  const isAccepted = result.recipients.some(({ outcome }) => outcome === "accepted");
  if (left.length === 0 || !isAccepted) return result;
  const rest = { ...message, envelope: { ...message.envelope, to: left } };
  const again = await sendInTransactions(rest, send).catch((error: unknown) => {
    if (error instanceof SmtpConnectError) return undefined;
    throw error;
  });
  if (!again) return { ...result, sessionUsable: false };
  const asked = again.recipients.filter(({ outcome }) => outcome !== "not_sent");
  const answers = new Map(asked.map((one) => [one.address, one]));
  const recipients = result.recipients.map((one) =>
    hadNoRoom(one) ? (answers.get(one.address) ?? one) : one,
  );
  return { ...result, recipients, sessionUsable: again.sessionUsable };
}

/** Returns true if the number of recipients is why this one was refused. */
function hadNoRoom({ outcome, phase, reply }: RecipientResult): boolean {
  if (outcome === "accepted" || phase !== "rcpt" || !reply) return false;
  const isBare = reply.code === 452 && reply.enhanced === undefined;
  return TOO_MANY_CODES.has(reply.code) && (isBare || TOO_MANY_ENHANCED.test(reply.enhanced ?? ""));
}
