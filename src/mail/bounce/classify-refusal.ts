import { type CodedReason, readEnhancedCode } from "./enhanced-code.ts";
import { classOf, type RefusalClass, type RefusalReason } from "./reasons.ts";
import { readWords, type SaidReason } from "./wordings/read-words.ts";

/**
 * Stage of the SMTP dialogue that the server rejected: `sender` up to MAIL FROM, when the server
 * does not know the recipient yet, `recipient` at RCPT TO, `message` from DATA on, `unknown` if a
 * report does not say.
 */
export type RefusalPhase = "sender" | "recipient" | "message" | "unknown";

/** Facts about a rejection besides its text. */
export interface RefusalFacts {
  phase: RefusalPhase;
  /** Three-digit reply code (RFC 5321 §4.2), if any. */
  code: number | undefined;
  /** Enhanced status code such as "5.1.1" (RFC 3463), if any. */
  enhanced: string | undefined;
}

/** The consequence of a rejection, with its reason. */
export interface Verdict {
  verdict: RefusalClass;
  reason: RefusalReason;
  /** The wording that decided, with the server or provider that uses it. */
  because?: Pick<SaidReason, "wording" | "source"> | undefined;
}

/** Reply codes that are more specific than weak words: RFC 7505, and MessageLabs' 542. */
const SPEAKING_CODES: Readonly<Record<number, RefusalReason>> = {
  542: "user_unknown",
  556: "no_mx",
};

/** Reply codes that name a cause by themselves (RFC 5321, RFC 4954, RFC 7504). */
const BARE_CODES: Readonly<Record<number, RefusalReason>> = {
  503: "system",
  521: "no_mx",
  523: "too_large",
  530: "policy",
  534: "policy",
  535: "policy",
  538: "policy",
  552: "mailbox_full",
};

/**
 * Classifies one rejection by its phase, codes and words. Words override general codes. Words about
 * the sender override codes about the address, and codes about the sender override words about the
 * address: 5.1.7 and 5.1.8 never suppress. Source: API reference §11.7, decision D29, RFC 3463 §3.
 */
export function classifyRefusal(refusal: RefusalFacts & { text: string }): Verdict {
  return judgeRefusal(refusal, readWords(refusal.text));
}

/** Classifies a rejection whose words are already parsed. */
export function judgeRefusal(refusal: RefusalFacts, said: SaidReason | undefined): Verdict {
  const { code, enhanced } = refusal;
  const isTemporary = (code !== undefined && code < 500) || enhanced?.startsWith("4.") === true;
  const { reason: read, isSaid } = decideReason(refusal, said);
  const reason = refusal.phase === "sender" ? withoutRecipient(read) : read;
  const because = isSaid && said ? { wording: said.wording, source: said.source } : undefined;
  if (isTemporary) return { verdict: "temporary", reason, because };
  if (classOf(reason) === "bad_address" && !canBlameAddress(refusal, isSaid))
    return { verdict: classOf("unknown"), reason: "unknown", because };
  return { verdict: classOf(reason), reason, because };
}

/**
 * Returns the reason for a rejection up to MAIL FROM. The server does not know the recipient yet, so
 * an unknown domain is the sender's, and a full disk is the server's.
 */
function withoutRecipient(reason: RefusalReason): RefusalReason {
  if (classOf(reason) === "bad_address") return "sender_rejected";
  return reason === "mailbox_full" ? "system" : reason;
}

/** Returns true if a rejection in this phase can be about the recipient's address. */
function canBlameAddress({ phase, enhanced }: RefusalFacts, isSaid: boolean): boolean {
  return phase !== "message" || isSaid || enhanced?.startsWith("5.1.") === true;
}

interface Decision {
  reason: RefusalReason;
  /** True if the words decided. */
  isSaid: boolean;
}

function decideReason(refusal: RefusalFacts, said: SaidReason | undefined): Decision {
  const coded = readEnhancedCode(refusal.enhanced);
  if (
    said &&
    !isUnclear(refusal, said) &&
    (!coded || outweighs(said, coded)) &&
    !(said.isWeak && speakingReason(refusal))
  )
    return { reason: said.reason, isSaid: true };
  const reason = coded?.reason ?? speakingReason(refusal) ?? bareReason(refusal);
  return { reason, isSaid: false };
}

/** Returns true if the words name no cause, so that a 5xx to RCPT TO is about the address. */
const isUnclear = ({ phase, code = 0 }: RefusalFacts, { isWeak, reason }: SaidReason) =>
  isWeak && phase === "recipient" && code >= 500 && classOf(reason) === "not_address";

const speakingReason = ({ code = 0 }: RefusalFacts) => SPEAKING_CODES[code];

/** Wording about the sender's quota, which servers also reject with the code for a full mailbox. */
const OF_SENDER = /\b(?:send|sender|sending|outgoing)\b/;

/** Decides between words and an enhanced code with a reason. */
function outweighs({ reason, isWeak, wording }: SaidReason, coded: CodedReason): boolean {
  if (coded.reason === "mailbox_full" && reason === "rate_limited") return OF_SENDER.test(wording);
  if (coded.isGeneral) return !isWeak || (reason === "user_unknown" && coded.reason !== "policy");
  return !isWeak && classOf(coded.reason) === "bad_address";
}

/**
 * Interprets a reply code alone. A 5xx to RCPT TO without another meaning blames the address; in a
 * report that names no command it may be about anything.
 */
function bareReason({ phase, code }: RefusalFacts): RefusalReason {
  if (code === undefined || (phase !== "recipient" && phase !== "unknown")) return "unknown";
  return BARE_CODES[code] ?? (phase === "recipient" && code >= 500 ? "user_unknown" : "unknown");
}
