import { cutText } from "../../lib/cut-text.ts";
import { broadcastReason } from "../../messages/broadcast-reasons.ts";
import type { Message } from "../../messages/message.ts";
import { classifyRefusal, type RefusalPhase } from "../../mail/bounce/classify-refusal.ts";
import { isSoftBounce, type RefusalReason } from "../../mail/bounce/index.ts";
import {
  queueIdOf,
  simulatedOutcomeOf,
  type RecipientResult,
  type ServerResult,
} from "../../mail/smtp/index.ts";
import { OPTED_OUT, OUTCOME_UNKNOWN, type LogStatus } from "../email-log/index.ts";
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
  /** The code of the fault or refusal because of which the mail was not made. */
  code?: string;
  /** The reason of a refusal (API reference §11.7), if a reply gave one. */
  reason?: RefusalReason;
  /** The id that the server gave the accepted mail, if its reply names one. */
  queueId?: string;
  /** True if the outcome is that of the project's fallback server. */
  viaFallback?: true;
  /** The attempts before this one, the oldest first. */
  earlier?: EarlierAttempt[];
}

/** Why another attempt at a mail may succeed. */
export type Retry =
  /** A 4xx reply, or a connection lost before the end. Slow: the server asks for a pause. */
  | { kind: "deferred"; isSlow: boolean; said: Message }
  /** No session opened, so the server was not asked about this mail. */
  | { kind: "no_session"; isLoginRefused: boolean; said: Message }
  /** A limit of the server would make the mail wait long. */
  | { kind: "held_back"; wait: Wait }
  /** The auto-pause has stopped the broadcast. */
  | { kind: "auto_paused" }
  /** The sender's run ended first. `tried` is the result of the attempt, or null without one. */
  | { kind: "given_back"; tried: Retry | null };

/** Returns the result of the attempt at a mail that was given back; otherwise, `retry` itself. */
export const triedOf = (retry: Retry | null): Retry | null =>
  retry?.kind === "given_back" && retry.tried ? retry.tried : retry;

/** What the log keeps of a mail: the outcome of its main address, and of each copy (cc and bcc). */
export interface LoggedOutcomes {
  main: AddressOutcome;
  copies: AddressOutcome[];
}

/** The outcome of a mail. `retry` is null if it is final. */
export interface MailOutcome extends LoggedOutcomes {
  retry: Retry | null;
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
export function outcomeOf(
  result: RecipientResult,
  suppressOnAny5xx: boolean,
): { outcome: AddressOutcome; retry: Retry | null } {
  const { address: email, outcome, error, phase, reply } = result;
  if (simulatedOutcomeOf(email) === "suppressed")
    return { outcome: suppressedOutcome(email), retry: null };
  if (outcome === "accepted") return { outcome: accepted(email, reply?.text), retry: null };
  if (outcome === "unknown")
    return { outcome: failed(email, `${OUTCOME_UNKNOWN}: ${error}`), retry: null };
  const said = result.reason ?? broadcastReason("server_error", { reply: error });
  if (outcome === "not_sent") {
    const isLoginRefused = phase === "auth" && (reply?.code ?? 0) >= 500;
    const retry: Retry = OPENING_PHASES.has(phase)
      ? { kind: "no_session", isLoginRefused, said }
      : { kind: "deferred", isSlow: true, said };
    return { outcome: failed(email, error), retry };
  }
  const refusedPhase = REFUSED_PHASES[phase];
  const refusal = reply && refusedPhase && classifyRefusal({ phase: refusedPhase, ...reply });
  const refused = { ...failed(email, error), ...(refusal && { reason: refusal.reason }) };
  if (outcome === "deferred") {
    const isSlow = reply !== undefined && SLOW_DOWN_CODES.has(reply.code);
    return { outcome: refused, retry: { kind: "deferred", isSlow, said } };
  }
  const isBounce =
    refusal?.verdict === "bad_address" || (suppressOnAny5xx && isLastingRefusal(result));
  return { outcome: isBounce ? { ...refused, status: "bounced" } : refused, retry: null };
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
export function failed(email: string, error: string, code?: string): AddressOutcome {
  return { email, status: "failed", error, ...(code === undefined ? {} : { code }) };
}

/** Returns the final outcome of a mail without copies. */
export const final = (main: AddressOutcome): MailOutcome => ({ main, copies: [], retry: null });

/** Returns the outcome of a mail that was not handed over. */
export const notTried = (email: string, error: string, retry: Retry): MailOutcome => ({
  main: failed(email, error),
  copies: [],
  retry,
});

/** Sorts the results of a mail into its main address and its copies. */
export function outcomesOf(
  to: string,
  { result, role, earlier }: ServerResult,
  { suppressOnAny5xx }: Pick<Sender, "suppressOnAny5xx">,
): MailOutcome {
  const server = role === "fallback" ? ({ viaFallback: true } as const) : {};
  const all = result.recipients.map((recipient) => {
    const { outcome, retry } = outcomeOf(recipient, suppressOnAny5xx);
    return { outcome: { ...outcome, ...server }, retry };
  });
  const own = all.find(({ outcome }) => outcome.email === to);
  const main = own?.outcome ?? failed(to, "the address was not sent to");
  return {
    main: earlier ? { ...main, earlier: [shortened(earlier)] } : main,
    copies: all.flatMap(({ outcome }) => (outcome.email === to ? [] : [outcome])),
    retry: own?.retry ?? null,
  };
}

const shortened = (earlier: EarlierAttempt): EarlierAttempt => ({
  ...earlier,
  error: cutText(earlier.error, EARLIER_REASON_CHARACTERS),
});

/** Returns the outcome of an address on the suppression list: nothing was sent. */
export function suppressedOutcome(email: string): AddressOutcome {
  return { email, status: "suppressed", error: "the address is on the suppression list" };
}

/** Returns the outcome of an address without consent to the topic of the mail. */
export function optedOutOutcome(email: string): AddressOutcome {
  return { email, status: "suppressed", error: OPTED_OUT };
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
