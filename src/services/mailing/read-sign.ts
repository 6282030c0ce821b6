import type { Sign } from "../../lib/rates/rate-types.ts";
import { classifyRefusal } from "../../mail/bounce/classify-refusal.ts";
import {
  describeReply,
  type RecipientResult,
  type SendResult,
  type SmtpConnectError,
  type SmtpReply,
} from "../../mail/smtp/index.ts";

/** Words that show that a refusal is about sessions. */
const ABOUT_CONNECTIONS = /connection|session|concurren|simultan|thread/i;

/** Enhanced codes about the mailbox of one recipient, such as "450 4.2.1 … receiving too fast". */
const ABOUT_MAILBOX = /^[45]\.2\./;

/** The code by which a server ends a session (RFC 5321 §3.8). */
const SERVICE_CLOSING = 421;

/**
 * Reads the sign in the refusal of a session while `open` others carry on: a refused connection,
 * any 4xx reply, or text about too many connections.
 */
export function signOfOpening(error: SmtpConnectError, open: number): Sign | undefined {
  const { message, reply, phase, isRefused } = error;
  if (isRefused) return { about: "connections", why: message, open };
  if (!reply || reply.code < 400) return undefined;
  const isPermanentLogin = phase === "auth" && reply.code >= 500;
  if (reply.code >= 500 && (isPermanentLogin || !saysTooMany(reply))) return undefined;
  return { about: "connections", why: describeReply(reply), open };
}

/** Reads the sign in the results of one mail: a 421, or a refusal of the sender's rate. */
export function signOfResult({ recipients }: SendResult): Sign | undefined {
  for (const recipient of recipients) {
    const sign = signOfRecipient(recipient);
    if (sign) return sign;
  }
  return undefined;
}

function signOfRecipient({ outcome, reply }: RecipientResult): Sign | undefined {
  if (outcome === "accepted" || !reply || reply.code < 400) return undefined;
  const why = describeReply(reply);
  if (reply.code === SERVICE_CLOSING) return { about: "connections", why };
  if (ABOUT_MAILBOX.test(reply.enhanced ?? "") || !saysTooMany(reply)) return undefined;
  return { about: ABOUT_CONNECTIONS.test(reply.text) ? "connections" : "rate", why };
}

const saysTooMany = (reply: SmtpReply) =>
  classifyRefusal({ phase: "message", ...reply }).reason === "rate_limited";
