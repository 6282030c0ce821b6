/*
 * Loads an SPF record with everything it references (RFC 7208 §4.6.4, §5). Records are untrusted:
 * one may include itself, or need endless lookups. The loader follows at most ten lookups.
 */
import { findingOf, type FindingCode } from "../../messages/findings.ts";
import type { Message } from "../../messages/message.ts";
import type { AskDns } from "../../lib/dns-session.ts";
import { type IpAddress, parseIpAddress } from "../net/special-addresses.ts";
import { findTexts, isDnsName, printable } from "./check-item.ts";
import {
  parseSpf,
  SPF_TEXT,
  type SpfPrefixes,
  type SpfQualifier,
  type SpfTerm,
} from "./spf-record.ts";
import { cutText } from "../../lib/cut-text.ts";

export const SPF_LOOKUPS_MAX = 10;
const VOID_LOOKUPS_MAX = 2;
const MX_HOSTS_MAX = 10;

/**
 * A loaded record. `unknown` stands for a part that depends on the mail, or that DNS did not
 * return.
 */
export interface SpfNode {
  steps: SpfStep[];
  redirect: SpfNode | undefined;
}

export type SpfStep = { qualifier: SpfQualifier } & (
  | { kind: "all" }
  | { kind: "networks"; networks: SpfNetwork[] }
  | { kind: "include"; node: SpfNode }
  | { kind: "unknown" }
);

export interface SpfNetwork {
  address: IpAddress;
  prefix: number;
}

/** Facts about a complete record. */
export interface LoadedSpf {
  node: SpfNode;
  lookups: number;
  /** Why every receiver ignores the record (permerror); undefined if it is valid. */
  fault: Message<FindingCode> | undefined;
  /** True if some DNS responses are missing. */
  isPartial: boolean;
  /** Domains that the record includes or redirects to, at any depth. */
  named: Set<string>;
}

interface Loading {
  ask: AskDns;
  /** Address record types to look up. */
  types: ("A" | "AAAA")[];
  voids: number;
  loaded: LoadedSpf;
}

const EMPTY: SpfNode = { steps: [], redirect: undefined };

/** Loads the record of a domain from its text, with addresses of the given types. */
export async function loadSpf(
  ask: AskDns,
  domain: string,
  text: string,
  types: ("A" | "AAAA")[],
): Promise<LoadedSpf> {
  const loaded = {
    node: EMPTY,
    lookups: 0,
    fault: undefined,
    isPartial: false,
    named: new Set<string>(),
  };
  const loading: Loading = { ask, types, voids: 0, loaded };
  const node = await loadText(loading, text, [domain]);
  return { ...loading.loaded, node };
}

/** Loads a record's terms in order, so that lookups are counted as receivers count them. */
async function loadText(loading: Loading, text: string, path: string[]): Promise<SpfNode> {
  const record = parseSpf(text);
  if (!record.ok) return fail(loading, faultOf(record.term, path.at(-1) ?? ""));
  const steps: SpfStep[] = [];
  for (const term of record.terms) {
    steps.push(await loadTerm(loading, term, path));
    if (term.kind === "all" || loading.loaded.fault !== undefined)
      return { steps, redirect: undefined }; // a redirect after `all` is ignored (§6.1)
  }
  const { redirect } = record;
  if (redirect === undefined || !count(loading)) return { steps, redirect: undefined };
  if (!redirect.includes("%"))
    return { steps, redirect: await loadDomain(loading, redirect, path) };
  return { steps: [...steps, { qualifier: "?", kind: "unknown" }], redirect: undefined };
}

async function loadTerm(loading: Loading, term: SpfTerm, path: string[]): Promise<SpfStep> {
  const { qualifier } = term;
  if (term.kind === "all") return { qualifier, kind: "all" };
  if (term.kind === "ip") return { qualifier, kind: "networks", networks: [term] };
  if (!count(loading) || term.kind === "ptr" || term.kind === "exists")
    return { qualifier, kind: "unknown" };
  const domain = term.domain ?? path.at(-1) ?? "";
  if (domain.includes("%")) return { qualifier, kind: "unknown" }; // a macro, which depends on the mail
  if (term.kind === "include")
    return { qualifier, kind: "include", node: await loadDomain(loading, domain, path) };
  const hosts = term.kind === "a" ? [domain] : await hostsOfMx(loading, domain);
  return networksOf(loading, qualifier, hosts, term);
}

/** Loads the record named by an `include` or `redirect`; one must exist (§5.2, §6.1). */
async function loadDomain(loading: Loading, text: string, path: string[]): Promise<SpfNode> {
  const domain = text.toLowerCase().replace(/\.$/, "");
  if (!isDnsName(domain))
    return fail(loading, findingOf("spf_invalid_domain", { name: shortened(domain) }));
  if (path.includes(domain)) return fail(loading, findingOf("spf_includes_itself", { domain }));
  loading.loaded.named.add(domain);
  const texts = await findTexts(loading.ask, domain, SPF_TEXT);
  if (!texts) return partial(loading);
  const [only, ...others] = texts;
  if (only === undefined) return fail(loading, findingOf("spf_include_missing", { domain }));
  if (others.length > 0) return fail(loading, findingOf("spf_include_several", { domain }));
  return loadText(loading, only, [...path, domain]);
}

async function hostsOfMx(loading: Loading, domain: string): Promise<string[] | undefined> {
  const answer = isDnsName(domain) ? await loading.ask(domain, "MX") : undefined;
  if (answer?.kind === "unknown" || answer?.kind === "no_answer") return undefined;
  const data = answer?.kind === "records" ? answer.data : [];
  if (data.length === 0) countVoid(loading);
  if (data.length > MX_HOSTS_MAX)
    fail(loading, findingOf("spf_too_many_mx", { domain: shortened(domain), max: MX_HOSTS_MAX }));
  return data.slice(0, MX_HOSTS_MAX).flatMap((mx) => /^\d+\s+(\S+?)\.?$/.exec(mx)?.[1] ?? []);
}

async function networksOf(
  loading: Loading,
  qualifier: SpfQualifier,
  hosts: string[] | undefined,
  { kind, prefixes }: { kind: "a" | "mx"; prefixes: SpfPrefixes },
): Promise<SpfStep> {
  const networks: SpfNetwork[] = [];
  let isWhole = hosts !== undefined;
  for (const host of hosts ?? [])
    for (const type of loading.types) {
      const answer = isDnsName(host) ? await loading.ask(host, type) : undefined;
      if (answer?.kind === "unknown" || answer?.kind === "no_answer") isWhole = false;
      const found = answer?.kind === "records" ? answer.data : [];
      const prefix = type === "A" ? prefixes.v4 : prefixes.v6;
      networks.push(...found.flatMap(readAddress).map((address) => ({ address, prefix })));
    }
  const isVoid = kind === "a" && networks.length === 0 && loading.types.length > 0;
  if (isWhole && isVoid) countVoid(loading);
  if (isWhole) return { qualifier, kind: "networks", networks };
  partial(loading);
  return { qualifier, kind: "unknown" };
}

/** Parses the address of a record. */
export function readAddress(text: string): IpAddress[] {
  const lower = text.toLowerCase();
  return [parseIpAddress(lower.includes(":") ? `[${lower}]` : lower) ?? []].flat();
}

/** Counts a lookup; returns false if the limit is exceeded. */
function count(loading: Loading): boolean {
  const { loaded } = loading;
  if (loaded.lookups >= SPF_LOOKUPS_MAX) {
    fail(loading, findingOf("spf_too_many_lookups", { max: SPF_LOOKUPS_MAX }));
    return false;
  }
  loaded.lookups += 1;
  return true;
}

function countVoid(loading: Loading): void {
  loading.voids += 1;
  if (loading.voids > VOID_LOOKUPS_MAX)
    fail(loading, findingOf("spf_too_many_voids", { max: VOID_LOOKUPS_MAX }));
}

/** Returns the fault of a record with an invalid term, or with too many terms. */
const faultOf = (term: string | undefined, domain: string): Message<FindingCode> =>
  term === undefined
    ? findingOf("spf_too_many_terms", { domain })
    : findingOf("spf_unknown_term", { domain, term: shortened(term) });

/** Returns untrusted text, shortened for use in a sentence. */
const shortened = (text: string): string => printable(cutText(text, 100));

function fail({ loaded }: Loading, reason: Message<FindingCode>): SpfNode {
  loaded.fault ??= reason;
  return EMPTY;
}

function partial({ loaded }: Loading): SpfNode {
  loaded.isPartial = true;
  return { steps: [{ qualifier: "?", kind: "unknown" }], redirect: undefined };
}
