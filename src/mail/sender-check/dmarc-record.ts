/* Parses DMARC records (RFC 7489 §6.3). */
import { readTags } from "./check-item.ts";

export type DmarcPolicy = "none" | "quarantine" | "reject";

export interface DmarcRecord {
  policy: DmarcPolicy;
  subdomainPolicy: DmarcPolicy;
  isSpfStrict: boolean;
  isDkimStrict: boolean;
  /** Report addresses, as URIs. */
  reportTo: string[];
  /** `y` for a public suffix, `n` for an organization. */
  psd: string;
}

/** Matches a DMARC record among other TXT records. */
export const DMARC_TEXT = /^v\s*=\s*DMARC1\s*(?:;|$)/;

const isPolicy = (text: string | undefined): text is DmarcPolicy =>
  text === "none" || text === "quarantine" || text === "reject";

/** Parses a record; undefined if receivers ignore it. */
export function parseDmarc(text: string): DmarcRecord | undefined {
  const tags = readTags(text);
  if (!tags || !DMARC_TEXT.test(text)) return undefined;
  const lower = (name: string) => tags.get(name)?.toLowerCase();
  const reportTo = (tags.get("rua") ?? "")
    .split(",")
    .map((uri) => uri.trim())
    .filter((uri) => /^mailto:[^\s@]+@[^\s@]+$/i.test(uri));
  const given = lower("p");
  // A record without a valid policy counts as `none` if it asks for reports (§6.6.3).
  const policy = isPolicy(given) ? given : reportTo.length > 0 ? "none" : undefined;
  if (policy === undefined) return undefined;
  const below = lower("sp");
  return {
    policy,
    subdomainPolicy: isPolicy(below) ? below : policy,
    isSpfStrict: lower("aspf") === "s",
    isDkimStrict: lower("adkim") === "s",
    reportTo,
    psd: lower("psd") ?? "u",
  };
}
