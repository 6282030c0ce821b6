import { findingOf, type FindingCode, type FINDINGS } from "../../messages/findings.ts";
import type { Params, ParamsFor } from "../../messages/message.ts";
import type { AskDns } from "../../lib/dns-session.ts";
import { readTxt } from "../../lib/read-txt.ts";
import { cutText } from "../../lib/cut-text.ts";

export const SENDER_CHECKS = [
  "mx",
  "spf",
  "dmarc",
  "alignment",
  "dkim",
  "bimi",
  "mta_sts",
  "tls_rpt",
] as const;

export const CHECK_VERDICTS = ["ok", "warning", "problem", "unknown", "info"] as const;
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

/** A valid query name with at least two labels: letters, digits, hyphens, underscores. */
const NAME = /^(?=.{3,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/i;

export const isDnsName = (text: string): boolean => NAME.test(text);

/** Returns the TXT records at a name that match a pattern, or undefined if DNS did not respond. */
export async function findTexts(
  ask: AskDns,
  name: string,
  pattern: RegExp,
): Promise<string[] | undefined> {
  if (!isDnsName(name)) return [];
  const answer = await ask(name, "TXT");
  if (answer.kind === "no_such_name") return [];
  if (answer.kind !== "records") return undefined;
  return answer.data.map(readTxt).filter((text) => pattern.test(text));
}

/**
 * Parses a tag list, `name=value` separated by semicolons (RFC 6376 §3.2); undefined for any other
 * text.
 */
export function readTags(text: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  for (const part of text.split(";")) {
    if (part.trim() === "") continue;
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(0, at)).trim().toLowerCase();
    if (!/^[a-z][a-z0-9_]*$/.test(name) || tags.has(name)) return undefined;
    tags.set(name, part.slice(at + 1).trim());
  }
  return tags;
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
