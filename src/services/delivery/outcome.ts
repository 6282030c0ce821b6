import { classifyRefusal } from "../../mail/bounce/classify-refusal.ts";
import type { RecipientResult, SendResult } from "../../mail/smtp/index.ts";
import type { LogStatus } from "../log/index.ts";
import { hardBounce, type NewSuppression } from "../suppressions/index.ts";

/** What became of one address of a mail, in the log's terms. */
export interface AddressOutcome {
  email: string;
  status: LogStatus;
  /** Words for the log and the caller; null when accepted. */
  error: string | null;
  /** Nothing was accepted and another attempt may succeed: a 4xx answer, or a connection lost before the end. */
  isTransient?: boolean;
  /** The server is overloaded or not there (421, 454, no session): leave it alone for a while. */
  isSlowDown?: boolean;
  /** The server refused the login for good: no mail of these settings can be sent. */
  isLoginRefused?: boolean;
}

/** Replies by which a server asks to be left alone (RFC 5321 §3.8, RFC 4954 §6). */
const SLOW_DOWN_CODES = new Set([421, 454]);

export const OUTCOME_UNKNOWN = "outcome unknown";

/** Puts the outcome of SMTP for one recipient into the log's terms. */
export function outcomeOf(result: RecipientResult): AddressOutcome {
  const { address: email, outcome, error, phase, reply } = result;
  if (outcome === "accepted") return { email, status: "sent", error: null };
  if (outcome === "unknown") return failed(email, `${OUTCOME_UNKNOWN}: ${error}`);
  if (outcome === "not_sent") {
    const isLoginRefused = phase === "auth" && (reply?.code ?? 0) >= 500;
    return { ...failed(email, error), isTransient: true, isSlowDown: true, isLoginRefused };
  }
  if (outcome === "deferred") {
    const isSlowDown = reply !== undefined && SLOW_DOWN_CODES.has(reply.code);
    return { ...failed(email, error), isTransient: true, isSlowDown };
  }
  if (!reply) return failed(email, error);
  const aboutRecipient = phase === "rcpt";
  if (!aboutRecipient && phase !== "data" && phase !== "body") return failed(email, error);
  const verdict = classifyRefusal({
    phase: aboutRecipient ? "recipient" : "message",
    code: reply.code,
    enhanced: reply.enhanced,
  });
  return verdict === "bad_address" ? { email, status: "bounced", error } : failed(email, error);
}

/** The outcome of an address that did not get the mail, with nothing held against the address. */
export function failed(email: string, error: string): AddressOutcome {
  return { email, status: "failed", error };
}

/** What became of a mail: for the address it is to, and for each copy (cc and bcc). */
export interface MailOutcome {
  main: AddressOutcome;
  copies: AddressOutcome[];
}

/** Sorts the results of SMTP into the main address and the copies. */
export function outcomesOf(to: string, result: SendResult): MailOutcome {
  const all = result.recipients.map(outcomeOf);
  const main = all.find(({ email }) => email === to) ?? failed(to, "the address was not sent to");
  return { main, copies: all.filter(({ email }) => email !== to) };
}

/** The outcome of an address that is on the suppression list: nothing was sent. */
export function suppressedOutcome(email: string): AddressOutcome {
  return { email, status: "suppressed", error: "the address is on the suppression list" };
}

/** The suppressions that hard bounces cause. */
export function suppressionsOf(outcomes: AddressOutcome[]): NewSuppression[] {
  return outcomes
    .filter(({ status }) => status === "bounced")
    .map(({ email, error }) => hardBounce(email, "smtp", error ?? ""));
}
