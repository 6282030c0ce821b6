/*
 * Loads an SPF record with everything it references (RFC 7208 §4.6.4, §5). Records are untrusted:
 * one may include itself, or need endless lookups. The loader follows at most ten lookups.
 */
import { cutText } from "../../lib/cut-text.ts";
import type { DnsType } from "../../lib/ask-dns.ts";
import type { AskDns } from "../../lib/dns-session.ts";
import { findingOf, type FindingCode } from "../../messages/findings.ts";
import type { Message } from "../../messages/message.ts";
import type { IpAddress } from "../net/special-addresses.ts";
import { printable } from "./check-item.ts";
import { parseSpf, SPF_TEXT, type SpfNetwork, type SpfTerm } from "./parse-spf.ts";
import { findRecords, findTexts, readAddress } from "./read-records.ts";

export const SPF_LOOKUPS_MAX = 10;
const MX_HOSTS_MAX = 10;

/** What a record and those that it references allow. */
export interface Spf {
  /** The networks that may send, as far as they are addresses of the types that were looked up. */
  networks: SpfNetwork[];
  /** True if some mechanism lets a server send. */
  namesSomebody: boolean;
  /** True if everybody may send. */
  isOpen: boolean;
  /** Domains that the record includes or redirects to, at any depth. */
  named: Set<string>;
  lookups: number;
  /** Why every receiver ignores the record (permerror); undefined if it is valid. */
  fault: Message<FindingCode> | undefined;
  /** True if some DNS responses are missing. */
  isPartial: boolean;
}

interface Loading {
  ask: AskDns;
  /** Address record types to look up. */
  types: readonly ("A" | "AAAA")[];
  spf: Spf;
}

/** A record of a domain; `passes` if those whom it lets send may send for the sender. */
interface Reference {
  domain: string;
  passes: boolean;
}

/** Loads the record of a domain from its text, with the types of these addresses. */
export async function loadSpf(
  ask: AskDns,
  domain: string,
  text: string,
  addresses: readonly IpAddress[],
): Promise<Spf> {
  const kinds = new Set(addresses.map((address) => address.kind()));
  const types = (["A", "AAAA"] as const).filter((type) =>
    kinds.has(type === "A" ? "ipv4" : "ipv6"),
  );
  const spf: Spf = {
    networks: [],
    namesSomebody: false,
    isOpen: false,
    named: new Set(),
    lookups: 0,
    fault: undefined,
    isPartial: false,
  };
  await loadText({ ask, types, spf }, text, { domain, passes: true });
  return spf;
}

/** Loads a record's terms in order, so that lookups are counted as receivers count them. */
async function loadText(loading: Loading, text: string, own: Reference): Promise<void> {
  const { spf } = loading;
  const record = parseSpf(text);
  if (!record.ok) {
    const term = printable(cutText(record.term, 100));
    spf.fault ??= findingOf("spf_unknown_term", { domain: own.domain, term });
    return;
  }
  for (const term of record.terms) {
    if (spf.fault) return;
    if (term.kind === "all") {
      spf.isOpen ||= own.passes && term.passes;
      return; // a redirect after `all` is ignored (§6.1)
    }
    await loadTerm(loading, term, own);
  }
  const { redirect } = record;
  if (redirect !== undefined && count(spf))
    await loadDomain(loading, { domain: redirect, passes: own.passes });
}

async function loadTerm(
  loading: Loading,
  term: Exclude<SpfTerm, { kind: "all" }>,
  own: Reference,
): Promise<void> {
  const { spf, types } = loading;
  const passes = own.passes && term.passes;
  if (term.kind === "ip") return allow(spf, passes, [term.network]);
  if (!count(spf)) return;
  if (term.kind === "ptr" || term.kind === "exists") return allow(spf, passes, []);
  const domain = term.domain ?? own.domain;
  if (term.kind === "include") return loadDomain(loading, { domain, passes });
  const hosts = term.kind === "a" ? [domain] : await hostsOfMx(loading, domain);
  for (const host of hosts)
    for (const type of types) {
      const found = (await find(loading, host, type)).flatMap(readAddress);
      const prefix = type === "A" ? term.v4 : term.v6;
      allow(
        spf,
        passes,
        found.map((address) => ({ address, prefix })),
      );
    }
  allow(spf, passes, []);
}

/** Lets networks send; none for a mechanism that depends on the mail. */
function allow(spf: Spf, passes: boolean, networks: SpfNetwork[]): void {
  if (!passes) return;
  spf.namesSomebody = true;
  spf.isOpen ||= networks.some(({ prefix }) => prefix === 0);
  spf.networks.push(...networks);
}

/** Loads the record named by an `include` or `redirect`; one must exist (§5.2, §6.1). */
async function loadDomain(loading: Loading, { domain: text, passes }: Reference): Promise<void> {
  const { spf } = loading;
  const domain = text.toLowerCase().replace(/\.$/, "");
  if (domain.includes("%")) return allow(spf, passes, []); // a macro, which depends on the mail
  spf.named.add(domain);
  const texts = await findTexts(loading.ask, domain, SPF_TEXT);
  if (!texts) spf.isPartial = true;
  else if (texts[0] === undefined || texts.length > 1)
    spf.fault ??= findingOf("spf_include_not_one", { domain: printable(cutText(domain, 100)) });
  else await loadText(loading, texts[0], { domain, passes });
}

async function hostsOfMx(loading: Loading, domain: string): Promise<string[]> {
  const records = await find(loading, domain, "MX");
  return records.slice(0, MX_HOSTS_MAX).flatMap((mx) => /^\d+\s+(\S+?)\.?$/.exec(mx)?.[1] ?? []);
}

/** Returns the records of a name; none, and notes it, if DNS did not respond. */
async function find({ ask, spf }: Loading, name: string, type: DnsType): Promise<string[]> {
  const records = await findRecords(ask, name, type);
  spf.isPartial ||= records === undefined;
  return records ?? [];
}

/** Counts a lookup; returns false if the limit is exceeded. */
function count(spf: Spf): boolean {
  spf.lookups += 1;
  if (spf.lookups <= SPF_LOOKUPS_MAX) return true;
  spf.fault ??= findingOf("spf_too_many_lookups", { max: SPF_LOOKUPS_MAX });
  return false;
}
