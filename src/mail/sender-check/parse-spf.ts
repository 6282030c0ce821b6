/* Parses SPF records (RFC 7208 §4.6, §5, §6, §12), which are untrusted. */
import ipaddr from "ipaddr.js";
import type { IpAddress } from "../net/special-addresses.ts";

/** Addresses that share the first `prefix` bits. */
export interface SpfNetwork {
  address: IpAddress;
  prefix: number;
}

/** A mechanism; `passes` if it lets servers send. */
export type SpfTerm = { passes: boolean } & (
  | { kind: "all" }
  | { kind: "ptr" }
  | { kind: "ip"; network: SpfNetwork }
  | { kind: "include"; domain: string }
  | { kind: "exists"; domain: string }
  /** `domain` is undefined for the record's own domain. */
  | { kind: "a" | "mx"; domain: string | undefined; v4: number; v6: number }
);

export type SpfRecord =
  | { ok: true; terms: SpfTerm[]; redirect: string | undefined }
  | { ok: false; term: string };

/** Matches an SPF record among other TXT records (RFC 7208 §4.5). */
export const SPF_TEXT = /^v=spf1(?: |$)/i;

const MODIFIER = /^([a-z][a-z0-9_.-]*)=(.*)$/i;
const TERMS = [
  /^(?<sign>[+?~-]?)(?<kind>all)$/i,
  /^(?<sign>[+?~-]?)(?<kind>ptr)(?::[^/]+)?$/i,
  /^(?<sign>[+?~-]?)(?<kind>include|exists):(?<value>[^/]+)$/i,
  /^(?<sign>[+?~-]?)(?<kind>a|mx)(?::(?<value>[^/]+))?(?:\/(?<v4>\d{1,2}))?(?:\/\/(?<v6>\d{1,3}))?$/i,
  /^(?<sign>[+?~-]?)(?<kind>ip4):(?<value>[\d.]+)(?:\/(?<v4>\d{1,2}))?$/i,
  /^(?<sign>[+?~-]?)(?<kind>ip6):(?<value>[\da-f:.]+)(?:\/(?<v6>\d{1,3}))?$/i,
];

export function parseSpf(text: string): SpfRecord {
  const terms: SpfTerm[] = [];
  let redirect: string | undefined;
  for (const word of text.slice("v=spf1".length).split(" ")) {
    if (word === "") continue;
    const [, modifier, value] = MODIFIER.exec(word) ?? [];
    if (modifier?.toLowerCase() === "redirect") redirect ??= value;
    if (modifier !== undefined) continue;
    const term = parseTerm(word);
    if (!term) return { ok: false, term: word };
    terms.push(term);
  }
  return { ok: true, terms, redirect };
}

function parseTerm(word: string): SpfTerm | undefined {
  const groups = TERMS.map((term) => term.exec(word)?.groups).find(Boolean);
  if (!groups) return undefined;
  const { sign, value, v4 = "32", v6 = "128" } = groups;
  const passes = sign === "" || sign === "+";
  const prefixes = { v4: Number(v4), v6: Number(v6) };
  if (prefixes.v4 > 32 || prefixes.v6 > 128) return undefined;
  const kind = groups["kind"]?.toLowerCase();
  switch (kind) {
    case "all":
    case "ptr":
      return { passes, kind };
    case "include":
    case "exists":
      return { passes, kind, domain: value ?? "" };
    case "a":
    case "mx":
      return { passes, kind, domain: value, ...prefixes };
    case "ip4":
      if (!ipaddr.IPv4.isValidFourPartDecimal(value ?? "")) return undefined;
      return { passes, kind: "ip", network: networkOf(value, prefixes.v4) };
    default:
      if (!value?.includes(":") || !ipaddr.IPv6.isValid(value)) return undefined;
      return { passes, kind: "ip", network: networkOf(value, prefixes.v6) };
  }
}

const networkOf = (text = "", prefix: number): SpfNetwork => ({
  address: ipaddr.parse(text),
  prefix,
});
