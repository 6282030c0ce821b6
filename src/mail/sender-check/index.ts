/** Checks a sender's DNS: MX, SPF, DMARC, alignment and DKIM. */
import type { DnsSession } from "../../lib/dns-session.ts";
import { checkDkim } from "./check-dkim.ts";
import { checkAlignment, checkDmarc } from "./check-dmarc.ts";
import type { CheckItem } from "./check-item.ts";
import { checkMx } from "./check-mx.ts";
import { checkSpf } from "./check-spf.ts";
import { readFacts, type Sender, type SenderFacts } from "./read-facts.ts";

export { splitMail, valueOf } from "./mail-fields.ts";
export type { SeenMail } from "./read-facts.ts";
export { readSignatures } from "./read-signatures.ts";
export { CHECK_VERDICTS, SENDER_CHECKS, type CheckItem, type CheckVerdict } from "./check-item.ts";

const CHECKS: ((facts: SenderFacts) => CheckItem[])[] = [
  checkMx,
  checkSpf,
  checkDmarc,
  checkAlignment,
  checkDkim,
];

/**
 * Checks a sender. The session limits the number of DNS queries. Never throws because of DNS
 * content.
 */
export async function checkSender({ ask }: DnsSession, sender: Sender): Promise<CheckItem[]> {
  const facts = await readFacts(ask, sender);
  return CHECKS.flatMap((check) => check(facts));
}
