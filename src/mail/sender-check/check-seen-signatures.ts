import { messageOf } from "../../messages/message.ts";
import type { AskDns } from "../../lib/dns-session.ts";
import type { SeenSignature } from "../../lib/seen-signature.ts";
import { checkDkim } from "./check-dkim.ts";
import { isDkimAligned } from "./check-dmarc.ts";
import { type CheckItem, judged } from "./check-item.ts";
import type { FoundDmarc } from "./find-dmarc.ts";

/** DKIM signatures of a project's newest mail that came back to the service. */
export interface SeenMail {
  /** Milliseconds since 1970. */
  seenAt: number;
  signatures: SeenSignature[];
}

/** Checks the signature that is aligned for DMARC, and its current key in DNS. */
export async function checkSeenSignatures(
  ask: AskDns,
  dmarc: FoundDmarc,
  domain: string,
  { seenAt, signatures }: SeenMail,
): Promise<CheckItem> {
  const item = { check: "dkim" as const, domain, found: signatures.map(shownAs), record: null };
  const [day = "", time = ""] = new Date(seenAt).toISOString().slice(0, 16).split("T");
  const aligned = signatures.filter((one) => isDkimAligned(dmarc, domain, one.domain));
  const best = aligned.find(({ verdict }) => verdict === "valid") ?? aligned[0];
  if (signatures.length === 0)
    return { ...item, ...judged("problem", "mail_unsigned", { day, time }) };
  if (!best)
    return { ...item, ...judged("warning", "mail_signed_for_other", { day, time, domain }) };
  const key = await checkDkim(ask, best.domain, best.selector);
  const found = [...item.found, ...key.found];
  const { verdict, selector } = best;
  const mail = { day, time, domain: best.domain, selector };
  if (verdict === "body_changed" || verdict === "wrong_key")
    return { ...key, found, ...judged("problem", `mail_${verdict}`, mail) };
  const said = messageOf(key.code, key.params ?? {}, key.explanation);
  const code = verdict === "valid" ? "mail_signature_valid" : "mail_signed";
  return { ...key, found, ...judged(key.verdict, code, { ...mail, key: said }) };
}

const shownAs = ({ domain, selector, verdict }: SeenSignature) =>
  `d=${domain} s=${selector}: ${verdict}`;
