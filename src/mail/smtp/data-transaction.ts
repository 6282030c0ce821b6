import type { Connection } from "../net/connection.ts";
import { FINAL_DOT } from "./dot-stuffing.ts";
import type { Outcomes } from "./outcomes.ts";
import { isPositive, isRefusal, START_MAIL_INPUT, type SmtpReply, unexpected } from "./reply.ts";
import { readSessionReply } from "./service-closing.ts";

/**
 * Handles the reply to DATA. Returns true if the server expects the message for at least one
 * recipient.
 */
export async function openData(
  connection: Connection,
  outcomes: Outcomes,
  reply: SmtpReply,
): Promise<boolean> {
  if (reply.code !== START_MAIL_INPUT) {
    if (!isRefusal(reply)) throw unexpected(reply);
    outcomes.refuseRest(reply);
    return false;
  }
  if (outcomes.open) return true;
  // A 354 without an accepted recipient ends with an empty message (RFC 2920 section 3.1).
  await connection.write(FINAL_DOT);
  await readSessionReply(connection);
  return false;
}

/** Derives the outcomes from the reply to the final dot. */
export function decideByDot(outcomes: Outcomes, reply: SmtpReply): void {
  if (isRefusal(reply)) outcomes.refuseRest(reply);
  else if (isPositive(reply) && outcomes.isHandedOver) outcomes.acceptRest(reply);
  else throw unexpected(reply);
}
