/**
 * Evidence of a failure in text: reply codes (RFC 5321 section 4.2), enhanced codes (RFC 3463), the
 * rejected SMTP command, and the words.
 *
 * The text is untrusted. Every pattern is linear, and callers bound the length.
 */
import { judgeRefusal, type RefusalPhase, type Verdict } from "./classify-refusal.ts";
import { readCodes } from "./read-codes.ts";
import { readWords, type SaidReason } from "./wordings/read-words.ts";

/** Evidence in a text about one failure: at least a code or words. */
export interface Evidence {
  /** Three-digit reply code, 400 to 599. */
  code?: number;
  /** Enhanced status code such as "5.1.1". */
  enhanced?: string;
  said?: SaidReason;
  phase?: RefusalPhase;
}

/** Wordings that name the rejected SMTP command, as Postfix, Exim, Sendmail and qmail do. */
const PHASES: readonly [RefusalPhase, RegExp][] = [
  ["recipient", /(?:reply to|after|>>>|like our|sending) rcpt to|does not like recipient/i],
  [
    "sender",
    /(?:reply to|after|>>>|like our|sending) (?:mail from|ehlo|helo|auth|starttls)|does not like sender/i,
  ],
  [
    "message",
    /(?:reply to|after|>>>|like our|sending)(?: end of)? (?:data|bdat|pipelined data)\b/i,
  ],
  ["message", /end of data|failed after i sent the message|after end of message/i],
  ["sender", /refused to talk to me|initial connection|initial server greeting/i],
];

/** Extracts codes and words from a text; undefined if it does not describe a failure. */
export function readEvidence(text: string): Evidence | undefined {
  const { code, enhanced } = readCodes(text);
  const said = readWords(text);
  if (code === undefined && enhanced === undefined && !said) return undefined;
  const line = text.replace(/\s+/g, " "); // reports wrap "in reply to MAIL FROM"
  const phase = PHASES.find(([, pattern]) => pattern.test(line))?.[0];
  return {
    ...(code === undefined ? {} : { code }),
    ...(enhanced === undefined ? {} : { enhanced }),
    ...(said ? { said } : {}),
    ...(phase ? { phase } : {}),
  };
}

/** Returns true for evidence with a code, which overrides words of other lines. */
export const hasCode = (evidence: Evidence) =>
  evidence.code !== undefined || evidence.enhanced !== undefined;

/** Derives the verdict on the address. */
export function judgeEvidence({ code, enhanced, said, phase = "unknown" }: Evidence): Verdict {
  return judgeRefusal({ phase, code, enhanced }, said);
}
