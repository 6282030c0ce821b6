import { findingOf } from "../../messages/findings.ts";
import type { AskDns } from "../../lib/dns-session.ts";
import {
  type CheckItem,
  findTexts,
  type Judged,
  judged,
  NOT_ANSWERED,
  shown,
} from "./check-item.ts";
import { ANY_KEY_TEXT, type DkimKey, parseDkim } from "./dkim-record.ts";

const MIN_BITS = 1_024;
const GOOD_BITS = 2_048;

/** Explains how to find the selector, which only the mail server knows. */
export const unknownSelector = (domain: string): CheckItem => ({
  check: "dkim",
  domain,
  found: [],
  record: null,
  ...judged("unknown", "dkim_selector_unknown"),
});

/** Checks the key of a selector. */
export async function checkDkim(ask: AskDns, domain: string, selector: string): Promise<CheckItem> {
  const item = { check: "dkim" as const, domain, found: [], record: null };
  const name = `${selector}._domainkey.${domain}`;
  const texts = await findTexts(ask, name, ANY_KEY_TEXT);
  if (!texts) return { ...item, ...NOT_ANSWERED };
  const [text, ...others] = texts;
  if (text === undefined) return { ...item, ...judged("problem", "dkim_key_missing", { name }) };
  const found = shown(texts);
  if (others.length > 0)
    return { ...item, found, ...judged("problem", "dkim_key_several", { name }) };
  return { ...item, found, ...judge(parseDkim(text)) };
}

function judge(key: DkimKey): Judged {
  if (key.kind === "revoked") return judged("problem", "dkim_key_revoked");
  if (key.kind === "broken")
    return judged("problem", "dkim_key_ignored", { reason: findingOf(key.reason) });
  if (key.isTesting) return judged("warning", "dkim_key_testing");
  if (key.kind === "ed25519") return judged("warning", "dkim_key_ed25519");
  const { bits } = key;
  if (bits < MIN_BITS) return judged("problem", "dkim_key_too_short", { bits });
  if (bits < GOOD_BITS) return judged("warning", "dkim_key_short", { bits });
  return judged("ok", "dkim_key_found", { bits });
}
