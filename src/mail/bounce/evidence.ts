/**
 * Evidence of a failure in text: reply codes (RFC 5321 section 4.2), enhanced codes (RFC 3463), the
 * SMTP command that was refused, and the words.
 *
 * Anybody may have written the text. Every pattern is linear, and callers bound the length.
 */
import { judgeRefusal, type RefusalPhase, type Verdict } from "./classify-refusal.ts";
import { readCodes } from "./read-codes.ts";
import { readWords, type SaidReason } from "./wordings/read-words.ts";

/** The evidence in a text about one failure; a code or the words are set. */
export interface Evidence {
  /** Three-digit reply code, 400 to 599. */
  code?: number;
  /** Enhanced status code such as "5.1.1". */
  enhanced?: string;
  said?: SaidReason;
  phase?: RefusalPhase;
}

/** Wordings that name the refused SMTP command, as Postfix, Exim, Sendmail and qmail do. */
const PHASES: readonly [RefusalPhase, RegExp][] = [
  ["recipient", /(?:reply to|after|>>>|like our|sending) rcpt to|does not like recipient/i],
  ["sender", /(?:reply to|after|>>>|like our|sending) mail from|does not like sender/i],
  [
    "message",
    /(?:reply to|after|>>>|like our|sending)(?: end of)? (?:data|bdat|pipelined data)\b/i,
  ],
  ["message", /end of data|failed after i sent the message|after end of message/i],
  ["opening", /(?:reply to|after|>>>|like our|sending) (?:ehlo|helo)|initial connection/i],
];

/** Extracts the codes and words of a text; undefined when it says nothing about a failure. */
export function readEvidence(text: string): Evidence | undefined {
  const { code, enhanced } = readCodes(text);
  const said = readWords(text);
  if (code === undefined && enhanced === undefined && !said) return undefined;
  const phase = PHASES.find(([, pattern]) => pattern.test(text))?.[0];
  return {
    ...(code === undefined ? {} : { code }),
    ...(enhanced === undefined ? {} : { enhanced }),
    ...(said ? { said } : {}),
    ...(phase ? { phase } : {}),
  };
}

/** Returns true for evidence with a code, which outweighs words of other lines. */
export const hasCode = (evidence: Evidence) =>
  evidence.code !== undefined || evidence.enhanced !== undefined;

/** Decides what the evidence says about the address. */
export function judgeEvidence({ code, enhanced, said, phase = "unknown" }: Evidence): Verdict {
  return judgeRefusal({ phase, code, enhanced }, said);
}
