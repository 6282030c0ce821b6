import { type CodedReason, readEnhancedCode } from "./enhanced-code.ts";
import { classOf, type RefusalClass, type RefusalReason } from "./reasons.ts";
import { readWords, type SaidReason } from "./wordings/read-words.ts";

/**
 * Stage of the SMTP dialogue that the server refused: `opening` before MAIL FROM, `sender` at
 * MAIL FROM, `recipient` at RCPT TO, `message` from DATA on, `unknown` in a report that names none.
 */
export type RefusalPhase = "opening" | "sender" | "recipient" | "message" | "unknown";

/** The facts of a refusal besides its text. */
export interface RefusalFacts {
  phase: RefusalPhase;
  /** Three-digit reply code (RFC 5321 §4.2), when there is one. */
  code: number | undefined;
  /** Enhanced status code such as "5.1.1" (RFC 3463), when there is one. */
  enhanced: string | undefined;
}

/** The consequence of a refusal with its reason. */
export interface Verdict {
  verdict: RefusalClass;
  reason: RefusalReason;
  /** The wording that decided, with the server or provider that uses it. */
  because?: Pick<SaidReason, "wording" | "source"> | undefined;
}

/** Reply codes that say more than weak words: RFC 7505, and MessageLabs' 542. */
const SPEAKING_CODES: Readonly<Record<number, RefusalReason>> = {
  542: "user_unknown",
  556: "no_mx",
};

/** Reply codes that name a cause without words (RFC 5321, RFC 4954, RFC 7504). */
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
 * Classifies one refusal by its phase, its codes and its words together. Words outweigh general
 * codes. Words about the sender outweigh codes about the address, and codes about the sender
 * outweigh words about the address: 5.1.7 and 5.1.8 never suppress.
 * Source: API reference §11.7, decision D29, RFC 3463 §3.
 */
export function classifyRefusal(refusal: RefusalFacts & { text: string }): Verdict {
  return judgeRefusal(refusal, readWords(refusal.text));
}

/** Classifies a refusal whose words have already been read. */
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
 * Returns the reason of a refusal of MAIL FROM. The server has not heard of the recipient yet, so
 * an unknown domain is the sender's, and a disk that is full is the server's.
 */
function withoutRecipient(reason: RefusalReason): RefusalReason {
  if (classOf(reason) === "bad_address") return "sender_rejected";
  return reason === "mailbox_full" ? "system" : reason;
}

/** Decides whether a refusal in its phase can be about the recipient's address. */
function canBlameAddress({ phase, enhanced }: RefusalFacts, isSaid: boolean): boolean {
  if (phase === "opening") return isSaid; // some servers judge late, and reports name old commands
  return phase !== "message" || isSaid || enhanced?.startsWith("5.1.") === true;
}

interface Decision {
  reason: RefusalReason;
  /** True when the words decided. */
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

/** Tells whether words name no cause, so that a 5xx to RCPT TO is about the address. */
const isUnclear = ({ phase, code = 0 }: RefusalFacts, { isWeak, reason }: SaidReason) =>
  isWeak && phase === "recipient" && code >= 500 && classOf(reason) === "not_address";

const speakingReason = ({ code = 0 }: RefusalFacts) => SPEAKING_CODES[code];

/** A wording about the quota of the sender, which servers also refuse with the code of a mailbox. */
const OF_SENDER = /\b(?:send|sender|sending|outgoing)\b/;

/** Decides between words and an enhanced code that names a reason. */
function outweighs({ reason, isWeak, wording }: SaidReason, coded: CodedReason): boolean {
  if (coded.reason === "mailbox_full" && reason === "rate_limited") return OF_SENDER.test(wording);
  if (coded.isGeneral) return !isWeak || (reason === "user_unknown" && coded.reason !== "policy");
  return !isWeak && classOf(coded.reason) === "bad_address";
}

/**
 * Reads a reply code alone. A 5xx to RCPT TO without another meaning blames the address; in a
 * report that names no command it may be about anything.
 */
function bareReason({ phase, code }: RefusalFacts): RefusalReason {
  if (code === undefined || (phase !== "recipient" && phase !== "unknown")) return "unknown";
  return BARE_CODES[code] ?? (phase === "recipient" && code >= 500 ? "user_unknown" : "unknown");
}
