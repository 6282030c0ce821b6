import { cutText } from "../../lib/cut-text.ts";
import { findingOf, type FindingCode, type FINDINGS } from "../../messages/findings.ts";
import type { Params, ParamsFor } from "../../messages/message.ts";

export const SENDER_CHECKS = ["mx", "spf", "dmarc", "alignment", "dkim"] as const;

export const CHECK_VERDICTS = ["ok", "warning", "problem", "unknown"] as const;
export type CheckVerdict = (typeof CHECK_VERDICTS)[number];

export interface SuggestedRecord {
  name: string;
  type: "TXT" | "MX";
  value: string;
}

/** One finding about a sender. */
export interface CheckItem {
  check: (typeof SENDER_CHECKS)[number];
  domain: string;
  verdict: CheckVerdict;
  /** DNS records that were found, truncated. */
  found: string[];
  /** The finding as English text, with its code and params. */
  explanation: string;
  code: FindingCode;
  params?: Params;
  record: SuggestedRecord | null;
}

/** A check's verdict and finding. */
export type Judged = Pick<CheckItem, "verdict" | "explanation" | "code" | "params">;

/** Creates a verdict with its finding. */
export function judged<Code extends FindingCode>(
  verdict: CheckVerdict,
  code: Code,
  params?: ParamsFor<(typeof FINDINGS)[Code]>,
): Judged {
  const { message: explanation, ...rest } = findingOf(code, params);
  return { verdict, explanation, ...rest };
}

/** The verdict if the resolver did not respond. */
export const NOT_ANSWERED = judged("unknown", "dns_not_answered");

/** Creates an item from a verdict, the records that were found, and the record to set. */
export const itemOf = (
  check: CheckItem["check"],
  domain: string,
  verdict: Judged,
  found: readonly string[] = [],
  record: SuggestedRecord | null = null,
): CheckItem => ({ check, domain, ...verdict, found: shown(found), record });

const SHOWN_RECORDS_MAX = 10;
const SHOWN_CHARACTERS_MAX = 1_000;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/** Returns untrusted records in displayable form. */
export function shown(records: readonly string[]): string[] {
  return records.slice(0, SHOWN_RECORDS_MAX).map(printable);
}

/** Returns untrusted text as one line of bounded length. */
export const printable = (text: string): string =>
  cutText(text, SHOWN_CHARACTERS_MAX).replaceAll(UNPRINTABLE, " ");
