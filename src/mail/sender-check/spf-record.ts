/* Parses SPF records (RFC 7208 §4.6, §5, §6, §12), which are untrusted. */
import ipaddr from "ipaddr.js";
import type { IpAddress } from "../net/special-addresses.ts";

export type SpfQualifier = "+" | "-" | "~" | "?";

/** Prefix lengths of the mechanisms `a` and `mx`. */
export interface SpfPrefixes {
  v4: number;
  v6: number;
}

export type SpfTerm = { qualifier: SpfQualifier } & (
  | { kind: "all" }
  | { kind: "ip"; address: IpAddress; prefix: number }
  | { kind: "include"; domain: string }
  | { kind: "exists"; domain: string }
  /** `domain` is undefined for the record's own domain. */
  | { kind: "a" | "mx"; domain: string | undefined; prefixes: SpfPrefixes }
  | { kind: "ptr" }
);

export type SpfRecord =
  | { ok: true; terms: SpfTerm[]; redirect: string | undefined }
  /** The invalid term; undefined for a record with too many terms. */
  | { ok: false; term: string | undefined };

/** Matches an SPF record among other TXT records (RFC 7208 §4.5). */
export const SPF_TEXT = /^v=spf1(?: |$)/i;

/** More terms than any real record has. */
const MAX_TERMS = 200;
const MODIFIER = /^([a-z][a-z0-9_.-]*)=(.*)$/i;
const MECHANISM = /^([+?~-]?)([a-z0-9]+)(?::([^/]*))?((?:\/\d{1,3})?(?:\/\/\d{1,3})?)$/i;
const IP = /^([+?~-]?)(ip[46]):([\da-f:.]+?)(?:\/(\d{1,3}))?$/i;

export function parseSpf(text: string): SpfRecord {
  const words = text
    .slice("v=spf1".length)
    .split(" ")
    .filter((word) => word !== "");
  if (words.length > MAX_TERMS) return { ok: false, term: undefined };
  const terms: SpfTerm[] = [];
  let redirect: string | undefined;
  for (const word of words) {
    const [, name = "", value = ""] = MODIFIER.exec(word) ?? [];
    if (name.toLowerCase() === "redirect") {
      if (redirect !== undefined || value === "") return wrong(word);
      redirect = value;
    } else if (name === "") {
      const term = parseIp(word) ?? parseMechanism(word);
      if (!term) return wrong(word);
      terms.push(term);
    }
  }
  return { ok: true, terms, redirect };
}

const wrong = (term: string): SpfRecord => ({ ok: false, term });

/** Parses the qualifier of a term; the default is `+`. */
const qualifierOf = (text: string): SpfQualifier =>
  text === "-" || text === "~" || text === "?" ? text : "+";

function parseIp(word: string): SpfTerm | undefined {
  const [, sign = "", name = "", text = "", length] = IP.exec(word) ?? [];
  const isV4 = name.toLowerCase() === "ip4";
  const address = isV4 ? readV4(text) : readV6(text);
  if (name === "" || !address) return undefined;
  const bits = isV4 ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length);
  return prefix > bits ? undefined : { qualifier: qualifierOf(sign), kind: "ip", address, prefix };
}

const readV4 = (text: string) =>
  ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
const readV6 = (text: string) =>
  text.includes(":") && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;

function parseMechanism(word: string): SpfTerm | undefined {
  const [, sign = "", name = "", domain, lengths = ""] = MECHANISM.exec(word) ?? [];
  const qualifier = qualifierOf(sign);
  switch (name.toLowerCase()) {
    case "all":
      return domain === undefined && lengths === "" ? { qualifier, kind: "all" } : undefined;
    case "include":
      return domain && lengths === "" ? { qualifier, kind: "include", domain } : undefined;
    case "exists":
      return domain && lengths === "" ? { qualifier, kind: "exists", domain } : undefined;
    case "ptr":
      return lengths === "" && domain !== "" ? { qualifier, kind: "ptr" } : undefined;
    case "a":
      return withPrefixes(qualifier, "a", domain, lengths);
    case "mx":
      return withPrefixes(qualifier, "mx", domain, lengths);
    default:
      return undefined;
  }
}

function withPrefixes(
  qualifier: SpfQualifier,
  kind: "a" | "mx",
  domain: string | undefined,
  lengths: string,
): SpfTerm | undefined {
  const [, v4 = "32", v6 = "128"] = /^(?:\/(\d+))?(?:\/\/(\d+))?$/.exec(lengths) ?? [];
  const prefixes = { v4: Number(v4), v6: Number(v6) };
  if (domain === "" || prefixes.v4 > 32 || prefixes.v6 > 128) return undefined;
  return { qualifier, kind, domain, prefixes };
}
