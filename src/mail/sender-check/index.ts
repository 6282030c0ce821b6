/** Checks a sender's DNS: MX, SPF, DMARC, DKIM and optional records. */
import { askAtMost, type DnsSession } from "../../lib/dns-session.ts";
import type { IpAddress } from "../net/special-addresses.ts";
import { parseIpAddress } from "../net/special-addresses.ts";
import { checkDkim, unknownSelector } from "./check-dkim.ts";
import { checkAlignment, checkDmarc } from "./check-dmarc.ts";
import { checkExtras } from "./check-extras.ts";
import { isDnsName, type CheckItem } from "./check-item.ts";
import { checkMx } from "./check-mx.ts";
import { checkSeenSignatures, type SeenMail } from "./check-seen-signatures.ts";
import { checkSpf } from "./check-spf.ts";
import { findDmarc } from "./find-dmarc.ts";
import { readAddress } from "./load-spf.ts";

export { splitMail, valueOf } from "./mail-fields.ts";
export { readSignatures } from "./read-signatures.ts";
export type { SeenMail } from "./check-seen-signatures.ts";
export { CHECK_VERDICTS, SENDER_CHECKS, type CheckItem, type CheckVerdict } from "./check-item.ts";

/** DNS queries reserved for SPF; it runs last. */
const SPF_QUESTIONS_MAX = 20;

export interface Sender {
  /** The domain of `From`, in lowercase. */
  domain: string;
  envelopeDomain: string;
  /** The SMTP server, and the fallback. */
  smtpHosts: string[];
  /** The selector to check; undefined to use that of `seenMail`. */
  dkimSelector: string | undefined;
  seenMail: SeenMail | undefined;
}

/**
 * Checks a sender. The session limits the number of DNS queries. Never throws because of DNS
 * content.
 */
export async function checkSender(
  { ask }: DnsSession,
  { domain, envelopeDomain, smtpHosts, dkimSelector, seenMail }: Sender,
): Promise<CheckItem[]> {
  const domains = [...new Set([domain, envelopeDomain])];
  const dmarc = findDmarc(ask, domain);
  const askForSpf = askAtMost(ask, SPF_QUESTIONS_MAX);
  const checkHost = async (host: string) =>
    checkSpf(askForSpf, envelopeDomain, { host, addresses: await addressesOf(ask, host) });
  const checkSignature = async () => {
    if (dkimSelector !== undefined) return checkDkim(ask, domain, dkimSelector);
    if (!seenMail) return unknownSelector(domain);
    return checkSeenSignatures(ask, await dmarc, domain, seenMail);
  };
  const extras = checkExtras(ask, domain);
  const items = await Promise.all([
    ...domains.map((one) => checkMx(ask, one)),
    ...[...new Set(smtpHosts)].map(checkHost),
    dmarc.then((found) => checkDmarc(found, domain)),
    dmarc.then((found) => checkAlignment(found, domain, envelopeDomain)),
    checkSignature(),
  ]);
  return [...items, ...(await extras)];
}

async function addressesOf(ask: DnsSession["ask"], host: string): Promise<IpAddress[]> {
  const literal = parseIpAddress(host);
  if (literal) return [literal];
  if (!isDnsName(host)) return [];
  const answers = await Promise.all([ask(host, "A"), ask(host, "AAAA")]);
  return answers
    .flatMap((answer) => (answer.kind === "records" ? answer.data : []))
    .flatMap(readAddress);
}
