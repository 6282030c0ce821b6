/*
 * Finds the DMARC record of a domain (RFC 7489): its own, or that of a parent domain. Receivers
 * determine the organizational domain with a public suffix list or a DNS tree walk; this is the
 * tree walk.
 */
import type { AskDns } from "../../lib/dns-session.ts";
import { findTexts, readTags } from "./read-records.ts";

const QUESTIONS_MAX = 5;

export type DmarcPolicy = "none" | "quarantine" | "reject";

export interface DmarcRecord {
  policy: DmarcPolicy;
  subdomainPolicy: DmarcPolicy;
  isSpfStrict: boolean;
  isDkimStrict: boolean;
  /** Report addresses, as URIs. */
  reportTo: string[];
  isOfPublicSuffix: boolean;
}

/** `organization` is the organizational domain for alignment. */
export type FoundDmarc = { organization: string } & (
  | { kind: "record"; at: string; text: string; record: DmarcRecord }
  | { kind: "broken"; texts: string[] }
  | { kind: "none" | "unknown" }
);

/** Matches a DMARC record among other TXT records. */
const DMARC_TEXT = /^v\s*=\s*DMARC1\s*(?:;|$)/;

export async function findDmarc(ask: AskDns, domain: string): Promise<FoundDmarc> {
  const answers = await Promise.all(
    placesOf(domain).map(async (at) => {
      const texts = await findTexts(ask, `_dmarc.${at}`, DMARC_TEXT);
      const [text = "", ...others] = texts ?? [];
      return { at, texts, text, record: others.length === 0 ? parseDmarc(text) : undefined };
    }),
  );
  const records = answers.flatMap(({ at, text, record }) => (record ? [{ at, text, record }] : []));
  const [nearest] = records;
  const owner = records.findLast(({ record }) => !record.isOfPublicSuffix);
  const organization = owner?.at ?? domain;
  if (nearest?.at === domain) return { kind: "record", ...nearest, organization };
  const own = answers[0]?.texts ?? [];
  if (own.length > 0) return { kind: "broken", texts: own, organization };
  if (answers.some(({ texts }) => texts === undefined)) return { kind: "unknown", organization };
  return nearest ? { kind: "record", ...nearest, organization } : { kind: "none", organization };
}

/** Returns the domain and its parents, down to two labels. */
function placesOf(domain: string): string[] {
  const labels = domain.split(".");
  const above = labels.map((_, at) => labels.slice(at).join(".")).slice(1, -1);
  return [domain, ...above.slice(-(QUESTIONS_MAX - 1))];
}

/** Parses a record; undefined if receivers ignore it. */
export function parseDmarc(text: string): DmarcRecord | undefined {
  const tags = readTags(text);
  if (!tags || !DMARC_TEXT.test(text)) return undefined;
  const lower = (name: string) => tags.get(name)?.toLowerCase();
  const reportTo = (tags.get("rua") ?? "")
    .split(",")
    .map((uri) => uri.trim())
    .filter((uri) => /^mailto:[^\s@]+@[^\s@]+$/i.test(uri));
  // A record without a valid policy counts as `none` if it asks for reports (§6.6.3).
  const policy = policyOf(lower("p")) ?? (reportTo.length > 0 ? "none" : undefined);
  if (policy === undefined) return undefined;
  return {
    policy,
    subdomainPolicy: policyOf(lower("sp")) ?? policy,
    isSpfStrict: lower("aspf") === "s",
    isDkimStrict: lower("adkim") === "s",
    reportTo,
    isOfPublicSuffix: lower("psd") === "y",
  };
}

const policyOf = (text: string | undefined): DmarcPolicy | undefined =>
  text === "none" || text === "quarantine" || text === "reject" ? text : undefined;

/**
 * Returns true if two domains are aligned for DMARC: the same, or of the same organization unless
 * the record is strict.
 */
export function isAligned(
  dmarc: FoundDmarc,
  domain: string,
  other: string,
  strictness: "isSpfStrict" | "isDkimStrict",
): boolean {
  if (other === domain) return true;
  if (dmarc.kind === "record" && dmarc.record[strictness]) return false;
  return isUnder(other, dmarc.organization) || isUnder(domain, other);
}

const isUnder = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`);
