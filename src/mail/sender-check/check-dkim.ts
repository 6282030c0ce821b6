import type { AskDns } from "../../lib/dns-session.ts";
import { type CheckItem, findTexts, NOT_ANSWERED, shown } from "./check-item.ts";
import { ANY_KEY_TEXT, type DkimKey, parseDkim } from "./dkim-record.ts";

const MIN_BITS = 1_024;
const GOOD_BITS = 2_048;

/** Says how to find the selector, which only the mail server knows. */
export const unknownSelector = (domain: string): CheckItem => ({
  check: "dkim",
  domain,
  found: [],
  record: null,
  verdict: "unknown",
  explanation:
    "Your mail server signs, and only it knows the selector. Send a mail of this project to the address of its return path or bounce mailbox, and this check reads the signature. Or find s= and d= in the DKIM-Signature header of a mail that arrived, and repeat this check with ?dkim_selector= and the value of s=.",
});

/** Checks the key of a selector. */
export async function checkDkim(ask: AskDns, domain: string, selector: string): Promise<CheckItem> {
  const item = { check: "dkim" as const, domain, found: [], record: null };
  const name = `${selector}._domainkey.${domain}`;
  const texts = await findTexts(ask, name, ANY_KEY_TEXT);
  if (!texts) return { ...item, verdict: "unknown", explanation: NOT_ANSWERED };
  const [text, ...others] = texts;
  if (text === undefined)
    return {
      ...item,
      verdict: "problem",
      explanation: `There is no key at ${name}. Set the record that your mail server shows for this selector.`,
    };
  const found = shown(texts);
  if (others.length > 0)
    return {
      ...item,
      found,
      verdict: "problem",
      explanation: `There are several keys at ${name}, and servers may use any. Keep one.`,
    };
  return { ...item, found, ...judge(parseDkim(text)) };
}

function judge(key: DkimKey): Pick<CheckItem, "verdict" | "explanation"> {
  if (key.kind === "revoked")
    return { verdict: "problem", explanation: "The key is revoked: its p= is empty." };
  if (key.kind === "broken")
    return { verdict: "problem", explanation: `Servers ignore the key: ${key.reason}.` };
  if (key.isTesting)
    return {
      verdict: "warning",
      explanation: "The key is marked as a test (t=y), so servers may ignore its signatures.",
    };
  if (key.kind === "ed25519")
    return {
      verdict: "warning",
      explanation: "The key is Ed25519, which many servers do not verify. Sign with RSA as well.",
    };
  if (key.bits < MIN_BITS)
    return {
      verdict: "problem",
      explanation: `The RSA key has ${key.bits} bits: servers ignore it.`,
    };
  if (key.bits < GOOD_BITS)
    return { verdict: "warning", explanation: `The RSA key has ${key.bits} bits. Use 2048.` };
  return { verdict: "ok", explanation: `The RSA key has ${key.bits} bits.` };
}
