/** Checks the DNS of a sender: MX, SPF, DMARC, DKIM and what may stand besides. */
import { askAtMost, type DnsSession } from "../../lib/dns-session.ts";
import type { IpAddress } from "../net/special-addresses.ts";
import { parseIpAddress } from "../net/special-addresses.ts";
import { checkDkim } from "./check-dkim.ts";
import { checkAlignment, checkDmarc } from "./check-dmarc.ts";
import { checkExtras } from "./check-extras.ts";
import { isDnsName, type CheckItem } from "./check-item.ts";
import { checkMx } from "./check-mx.ts";
import { checkSpf } from "./check-spf.ts";
import { findDmarc } from "./find-dmarc.ts";
import { readAddress } from "./load-spf.ts";

export { CHECK_VERDICTS, SENDER_CHECKS, type CheckItem, type CheckVerdict } from "./check-item.ts";

/** The questions that are left for SPF when all others are asked. */
const SPF_QUESTIONS_MAX = 20;

export interface Sender {
  /** The domain of `From`, in lower case. */
  domain: string;
  /** The domain of the envelope sender. */
  envelopeDomain: string;
  /** The SMTP server, and the one that takes over. */
  smtpHosts: string[];
  dkimSelector: string | undefined;
}

/** Checks a sender. The session bounds the questions. Never throws for what the DNS says. */
export async function checkSender(
  { ask }: DnsSession,
  { domain, envelopeDomain, smtpHosts, dkimSelector }: Sender,
): Promise<CheckItem[]> {
  const domains = [...new Set([domain, envelopeDomain])];
  const dmarc = findDmarc(ask, domain);
  const askForSpf = askAtMost(ask, SPF_QUESTIONS_MAX);
  const checkHost = async (host: string) =>
    checkSpf(askForSpf, envelopeDomain, { host, addresses: await addressesOf(ask, host) });
  const extras = checkExtras(ask, domain);
  const items = await Promise.all([
    ...domains.map((one) => checkMx(ask, one)),
    ...[...new Set(smtpHosts)].map(checkHost),
    dmarc.then((found) => checkDmarc(found, domain)),
    dmarc.then((found) => checkAlignment(found, domain, envelopeDomain)),
    checkDkim(ask, domain, dkimSelector),
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
