import { cutText } from "../../lib/cut-text.ts";
import type { Message } from "../../messages/message.ts";
import { classifyRefusal, type RefusalPhase } from "../../mail/bounce/classify-refusal.ts";
import { isSoftBounce, type RefusalReason } from "../../mail/bounce/index.ts";
import {
  queueIdOf,
  type RecipientResult,
  type SendResult,
  type SmtpSettings,
} from "../../mail/smtp/index.ts";
import { OUTCOME_UNKNOWN, type LogStatus } from "../email-log/index.ts";
import type { Sender } from "../projects/index.ts";
import type { EarlierAttempt } from "../../db/schema/index.ts";
import type { Wait } from "../../lib/rates/rate-types.ts";
import { hardBounce, type NewSuppression } from "../suppressions/index.ts";

export { OUTCOME_UNKNOWN };

/** The outcome of one address of a mail, in the log's terms. */
export interface AddressOutcome {
  email: string;
  status: LogStatus;
  /** The text for the log and the caller; null when accepted. */
  error: string | null;
  /** The text as a message, if the words are not those of the server. */
  said?: Message;
  /** The reason of a refusal (API reference §11.7), if a reply gave one. */
  reason?: RefusalReason;
  /** The id that the server gave the accepted mail, if its reply names one. */
  queueId?: string;
  /**
   * True if the server accepted nothing and another attempt may succeed: a 4xx reply, or a
   * connection lost before the end.
   */
  isTransient?: boolean;
  /** True if the server is overloaded or unreachable (421, 454, no session) and needs a pause. */
  isSlowDown?: boolean;
  /** True if the server refused the login permanently, so these settings can send no mail. */
  isLoginRefused?: boolean;
  /** True if no session opened, so the server was not asked about this mail. */
  hadNoSession?: boolean;
  /** Set if a limit of the server held the mail back, so the server was not asked about it. */
  heldBack?: Wait;
  /** True if the auto-pause of a broadcast stopped the mail, so the server was not asked about it. */
  isAutoPaused?: boolean;
  /** True if the worker ran out of time before it handed over the mail. */
  isGivenBack?: boolean;
  /** True if a limit of the server let no mail begin in that time. */
  isUnbegun?: boolean;
  /** True if the outcome is that of the project's fallback server. */
  viaFallback?: true;
  /** The attempts before this one, the oldest first. */
  earlier?: EarlierAttempt[];
}

/** The largest number of earlier attempts kept for a mail, and the longest reason kept for one. */
export const EARLIER_MAX = 3;
export const EARLIER_REASON_CHARACTERS = 255;

/** The replies with which a server asks for a pause (RFC 5321 §3.8, RFC 4954 §6). */
const SLOW_DOWN_CODES = new Set([421, 454]);

/** The phases of a session that is not open yet. */
const OPENING_PHASES = new Set<RecipientResult["phase"]>(["connect", "tls", "auth"]);

/** The phases in which a server refuses a mail or a recipient. All others concern the session. */
const REFUSED_PHASES: Partial<Record<RecipientResult["phase"], RefusalPhase>> = {
  mail: "sender",
  rcpt: "recipient",
  data: "message",
  body: "message",
};

/**
 * Converts the SMTP outcome of one recipient into the log's terms. A refusal counts as a bounce if
 * it is about the address or, with `suppressOnAny5xx`, if it is any 5xx reply to RCPT TO.
 */
export function outcomeOf(result: RecipientResult, suppressOnAny5xx: boolean): AddressOutcome {
  const { address: email, outcome, error, phase, reply } = result;
  if (outcome === "accepted") return accepted(email, reply?.text);
  if (outcome === "unknown") return failed(email, `${OUTCOME_UNKNOWN}: ${error}`);
  if (outcome === "not_sent") {
    const isLoginRefused = phase === "auth" && (reply?.code ?? 0) >= 500;
    const hadNoSession = OPENING_PHASES.has(phase);
    const why = { isTransient: true, isSlowDown: true, isLoginRefused, hadNoSession };
    return { ...failed(email, error), ...why, ...(result.reason && { said: result.reason }) };
  }
  const refusedPhase = REFUSED_PHASES[phase];
  const refusal = reply && refusedPhase && classifyRefusal({ phase: refusedPhase, ...reply });
  const said = refusal ? { reason: refusal.reason } : {};
  if (outcome === "deferred") {
    const isSlowDown = reply !== undefined && SLOW_DOWN_CODES.has(reply.code);
    return { ...failed(email, error), ...said, isTransient: true, isSlowDown };
  }
  const isBounce =
    refusal?.verdict === "bad_address" || (suppressOnAny5xx && isLastingRefusal(result));
  if (!isBounce) return { ...failed(email, error), ...said };
  return { email, status: "bounced", error, ...said };
}

function accepted(email: string, reply = ""): AddressOutcome {
  const queueId = queueIdOf(reply);
  return { email, status: "sent", error: null, ...(queueId === undefined ? {} : { queueId }) };
}

/** Returns true for a 5xx reply to RCPT TO whose enhanced code does not say "for now". */
function isLastingRefusal({ phase, reply }: RecipientResult): boolean {
  return phase === "rcpt" && (reply?.code ?? 0) >= 500 && !reply?.enhanced?.startsWith("4.");
}

/**
 * Returns the outcome of an address that did not get the mail, without a verdict on the address.
 */
export function failed(email: string, error: string): AddressOutcome {
  return { email, status: "failed", error };
}

/** Returns the outcome of a mail that got no permit. */
export function heldBackOutcome(email: string, heldBack: Wait): AddressOutcome {
  const error = "a limit of the mail server is reached: the mail was not sent";
  return { ...failed(email, error), isTransient: true, hadNoSession: true, heldBack };
}

/** The outcome of a mail: for its main address, and for each copy (cc and bcc). */
export interface MailOutcome {
  main: AddressOutcome;
  copies: AddressOutcome[];
}

/** Sorts SMTP results into the main address and the copies. */
export function outcomesOf(
  to: string,
  result: SendResult,
  { suppressOnAny5xx }: Pick<Sender, "suppressOnAny5xx">,
  role?: SmtpSettings["role"],
): MailOutcome {
  const server = role === "fallback" ? ({ viaFallback: true } as const) : {};
  const all = result.recipients.map((recipient) => ({
    ...outcomeOf(recipient, suppressOnAny5xx),
    ...server,
  }));
  const main = all.find(({ email }) => email === to) ?? failed(to, "the address was not sent to");
  return { main, copies: all.filter(({ email }) => email !== to) };
}

/** Adds the attempt that preceded an outcome, if there was one. */
export function withEarlier(
  { main, copies }: MailOutcome,
  earlier: EarlierAttempt | undefined,
): MailOutcome {
  if (!earlier) return { main, copies };
  const error = cutText(earlier.error, EARLIER_REASON_CHARACTERS);
  return { main: { ...main, earlier: [{ ...earlier, error }] }, copies };
}

/** Returns the outcome of an address on the suppression list: nothing was sent. */
export function suppressedOutcome(email: string): AddressOutcome {
  return { email, status: "suppressed", error: "the address is on the suppression list" };
}

/** Returns the suppressions that hard bounces cause. */
export function suppressionsOf(outcomes: AddressOutcome[]): NewSuppression[] {
  return outcomes
    .filter(({ status }) => status === "bounced")
    .map(({ email, error }) => hardBounce(email, "smtp", error ?? ""));
}

/** Returns the addresses whose mailbox temporarily refused a mail (API reference §14.5). */
export function softBouncesOf(outcomes: AddressOutcome[]): string[] {
  return outcomes
    .filter(({ status, reason }) => status === "failed" && reason && isSoftBounce(reason))
    .map(({ email }) => email);
}
