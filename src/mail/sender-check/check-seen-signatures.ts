import type { AskDns } from "../../lib/dns-session.ts";
import type { SeenSignature } from "../../lib/seen-signature.ts";
import { checkDkim } from "./check-dkim.ts";
import { isDkimAligned } from "./check-dmarc.ts";
import type { CheckItem } from "./check-item.ts";
import type { FoundDmarc } from "./find-dmarc.ts";

/** The signatures of the newest mail of a project that came back to the service. */
export interface SeenMail {
  /** Milliseconds since 1970. */
  seenAt: number;
  signatures: SeenSignature[];
}

const AGAIN = "Then send another mail to the return path.";

/** Checks the signature that counts for DMARC, and its key as the DNS has it now. */
export async function checkSeenSignatures(
  ask: AskDns,
  dmarc: FoundDmarc,
  domain: string,
  { seenAt, signatures }: SeenMail,
): Promise<CheckItem> {
  const item = { check: "dkim" as const, domain, found: signatures.map(shownAs), record: null };
  const when = new Date(seenAt).toISOString().slice(0, 16).replace("T", " ");
  const mail = `The mail that came back on ${when} UTC`;
  const aligned = signatures.filter((one) => isDkimAligned(dmarc, domain, one.domain));
  const best = aligned.find(({ verdict }) => verdict === "valid") ?? aligned[0];
  if (signatures.length === 0)
    return {
      ...item,
      verdict: "problem",
      explanation: `${mail} has no DKIM-Signature: your mail server does not sign. Switch DKIM on there. ${AGAIN}`,
    };
  if (!best)
    return {
      ...item,
      verdict: "warning",
      explanation: `${mail} is signed for another domain than ${domain}, so DKIM does not count for DMARC. Let your mail server sign for ${domain}. ${AGAIN}`,
    };
  const key = await checkDkim(ask, best.domain, best.selector);
  const found = [...item.found, ...key.found];
  const signed = `${mail} is signed for ${best.domain} with the selector ${best.selector}`;
  if (best.verdict === "body_changed")
    return {
      ...key,
      found,
      verdict: "problem",
      explanation: `${signed}, but something changed its body after that, so the signature fails. Let the last server on the way sign. ${AGAIN}`,
    };
  if (best.verdict === "wrong_key")
    return {
      ...key,
      found,
      verdict: "problem",
      explanation: `${signed}, but not with the key in the DNS, or a signed field changed after that. Set the record that your mail server shows. ${AGAIN}`,
    };
  const proof = best.verdict === "valid" ? " The signature is valid." : "";
  return { ...key, found, explanation: `${signed}.${proof} ${key.explanation}` };
}

const shownAs = ({ domain, selector, verdict }: SeenSignature) =>
  `d=${domain} s=${selector}: ${verdict}`;
