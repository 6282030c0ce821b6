import type { AskDns } from "../../lib/dns-session.ts";
import type { SeenSignature, SignatureVerdict } from "../../lib/seen-signature.ts";
import { type DkimSignature, parseSignature } from "./dkim-signature.ts";
import { type SplitMail, splitMail } from "./mail-fields.ts";
import { ANY_KEY_TEXT, parseDkim } from "./parse-dkim.ts";
import { findTexts } from "./read-records.ts";
import { VERIFIED_ALGORITHM, verifySignature } from "./verify-dkim.ts";

/** Maximum signatures per mail: that of the domain, and those of relays. */
const MAX_SIGNATURES = 4;

/**
 * Reads and verifies the DKIM signatures of a received mail, with one DNS query each. `isWhole` is
 * false for a truncated mail. Never throws because of a mail's content.
 */
export function readSignatures(
  ask: AskDns,
  raw: Uint8Array,
  isWhole: boolean,
): Promise<SeenSignature[]> {
  const mail = splitMail(raw);
  const signatures = mail.fields
    .filter(({ name }) => name === "dkim-signature")
    .slice(0, MAX_SIGNATURES)
    .flatMap((field) => parseSignature(field.raw) ?? []);
  return Promise.all(
    signatures.map(async (signature) => ({
      domain: signature.domain,
      selector: signature.selector,
      verdict: await judge(ask, mail, signature, isWhole),
    })),
  );
}

async function judge(
  ask: AskDns,
  mail: SplitMail,
  signature: DkimSignature,
  isWhole: boolean,
): Promise<SignatureVerdict> {
  const name = `${signature.selector}._domainkey.${signature.domain}`;
  const texts = await findTexts(ask, name, ANY_KEY_TEXT);
  if (!texts) return "unknown";
  const [text] = texts;
  if (text === undefined || texts.length > 1) return "no_key";
  const key = parseDkim(text);
  if (key.kind === "broken" || key.kind === "revoked") return "no_key";
  if (signature.algorithm !== VERIFIED_ALGORITHM || !isWhole) return "unknown";
  return key.kind === "rsa" ? verifySignature(mail, signature, key.key) : "wrong_key";
}
