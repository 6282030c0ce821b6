import { askAtMost, type AskDns } from "../../lib/dns-session.ts";
import type { SeenSignature } from "../../lib/seen-signature.ts";
import { type IpAddress, parseIpAddress } from "../net/special-addresses.ts";
import { findDmarc, type FoundDmarc, isAligned } from "./find-dmarc.ts";
import { loadSpf, type Spf } from "./load-spf.ts";
import { ANY_KEY_TEXT } from "./parse-dkim.ts";
import { SPF_TEXT } from "./parse-spf.ts";
import { findRecords, findTexts, readAddress } from "./read-records.ts";

/** DNS queries reserved for SPF; it runs last. */
const SPF_QUESTIONS_MAX = 20;

/** DKIM signatures of a project's newest mail that came back to the service. */
export interface SeenMail {
  /** Milliseconds since 1970. */
  seenAt: number;
  signatures: SeenSignature[];
}

/** A project's SMTP server. `addresses` is empty if unknown. */
export interface SendingServer {
  host: string;
  addresses: IpAddress[];
}

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

/** A domain that should receive mail. Records are undefined where DNS did not respond. */
export interface Receiver {
  domain: string;
  mx: string[] | undefined;
  /** Its A and AAAA records, which matter only without MX records. */
  addresses: (string[] | undefined)[];
}

/** The records at the name of a DKIM key. */
export interface SignatureKey {
  domain: string;
  name: string;
  texts: string[] | undefined;
  /** The signature that names the key; undefined for a wanted selector. */
  signature?: SeenSignature;
}

/** What the DNS says about a sender. */
export interface SenderFacts extends Sender {
  receivers: Receiver[];
  servers: SendingServer[];
  /** `loaded` is undefined unless there is exactly one record. */
  spf: { texts: string[] | undefined; loaded: Spf | undefined };
  dmarc: FoundDmarc;
  /** Undefined if no selector is known. */
  key: SignatureKey | undefined;
}

/** Asks the DNS about a sender. */
export async function readFacts(ask: AskDns, sender: Sender): Promise<SenderFacts> {
  const { domain, envelopeDomain, smtpHosts } = sender;
  const finding = findDmarc(ask, domain);
  const finds = Promise.all(
    [...new Set(smtpHosts)].map(async (host) => ({
      host,
      addresses: await addressesOf(ask, host),
    })),
  );
  const [receivers, dmarc, key, servers, spf] = await Promise.all([
    Promise.all([...new Set([domain, envelopeDomain])].map((one) => readReceiver(ask, one))),
    finding,
    finding.then((dmarc) => readKey(ask, sender, dmarc)),
    finds,
    finds.then((found) => readSpf(askAtMost(ask, SPF_QUESTIONS_MAX), envelopeDomain, found)),
  ]);
  return { ...sender, receivers, servers, spf, dmarc, key };
}

async function readReceiver(ask: AskDns, domain: string): Promise<Receiver> {
  const mx = await findRecords(ask, domain, "MX");
  if (mx?.length !== 0) return { domain, mx, addresses: [] };
  const types = ["A", "AAAA"] as const;
  const addresses = await Promise.all(types.map((type) => findRecords(ask, domain, type)));
  return { domain, mx, addresses };
}

async function readKey(
  ask: AskDns,
  { domain, dkimSelector, seenMail }: Sender,
  dmarc: FoundDmarc,
): Promise<SignatureKey | undefined> {
  const read = async (at: string, selector: string) => {
    const name = `${selector}._domainkey.${at}`;
    return { domain: at, name, texts: await findTexts(ask, name, ANY_KEY_TEXT) };
  };
  if (dkimSelector !== undefined) return read(domain, dkimSelector);
  const aligned = (seenMail?.signatures ?? []).filter((one) =>
    isAligned(dmarc, domain, one.domain, "isDkimStrict"),
  );
  const signature = aligned.find(({ verdict }) => verdict === "valid") ?? aligned[0];
  return signature && { ...(await read(signature.domain, signature.selector)), signature };
}

async function readSpf(
  ask: AskDns,
  domain: string,
  servers: readonly SendingServer[],
): Promise<SenderFacts["spf"]> {
  const texts = await findTexts(ask, domain, SPF_TEXT);
  const [text, ...others] = texts ?? [];
  if (text === undefined || others.length > 0) return { texts, loaded: undefined };
  const addresses = servers.flatMap((server) => server.addresses);
  return { texts, loaded: await loadSpf(ask, domain, text, addresses) };
}

async function addressesOf(ask: AskDns, host: string): Promise<IpAddress[]> {
  const literal = parseIpAddress(host);
  if (literal) return [literal];
  const answers = await Promise.all([findRecords(ask, host, "A"), findRecords(ask, host, "AAAA")]);
  return answers.flatMap((records) => records ?? []).flatMap(readAddress);
}
