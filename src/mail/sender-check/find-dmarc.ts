/*
 * Finds the DMARC record of a domain: its own, or that of a parent domain. Receivers determine the
 * organizational domain with a public suffix list or a DNS tree walk; this is the tree walk.
 */
import type { AskDns } from "../../lib/dns-session.ts";
import { findTexts } from "./check-item.ts";
import { DMARC_TEXT, type DmarcRecord, parseDmarc } from "./dmarc-record.ts";

const QUESTIONS_MAX = 5;

/** `organization` is the organizational domain for alignment; undefined if no record tells. */
export type FoundDmarc =
  | { kind: "record"; at: string; text: string; record: DmarcRecord; organization: string }
  | { kind: "broken"; at: string; texts: string[]; organization: undefined }
  | { kind: "none"; organization: undefined }
  | { kind: "unknown"; organization: undefined };

export async function findDmarc(ask: AskDns, domain: string): Promise<FoundDmarc> {
  const places = placesOf(domain);
  const answers = await Promise.all(
    places.map(async (at) => ({ at, texts: await findTexts(ask, `_dmarc.${at}`, DMARC_TEXT) })),
  );
  const records = answers.flatMap(({ at, texts = [] }) => {
    const [text, ...others] = texts;
    const record = text !== undefined && others.length === 0 ? parseDmarc(text) : undefined;
    return record && text !== undefined ? [{ at, text, record }] : [];
  });
  const own = answers[0];
  if (own?.texts && own.texts.length > 0 && records[0]?.at !== domain)
    return { kind: "broken", at: domain, texts: own.texts, organization: undefined };
  const [nearest] = records;
  if (answers.some(({ texts }) => texts === undefined) && nearest?.at !== domain)
    return { kind: "unknown", organization: undefined };
  if (!nearest) return { kind: "none", organization: undefined };
  return { kind: "record", ...nearest, organization: organizationOf(domain, records) };
}

/** Returns the domain and its parents, down to two labels. */
function placesOf(domain: string): string[] {
  const labels = domain.split(".");
  const above = labels.map((_, at) => labels.slice(at).join(".")).slice(1, -1);
  return [domain, ...above.slice(-(QUESTIONS_MAX - 1))];
}

function organizationOf(domain: string, records: { at: string; record: DmarcRecord }[]): string {
  for (const { at, record } of records) {
    if (record.psd === "n") return at;
    if (record.psd === "y" && at !== domain) return labelBelow(domain, at);
  }
  return records.at(-1)?.at ?? domain;
}

/** Returns the part of a domain that is one label longer than the suffix. */
function labelBelow(domain: string, suffix: string): string {
  const [label = ""] = domain
    .slice(0, -suffix.length - 1)
    .split(".")
    .slice(-1);
  return `${label}.${suffix}`;
}
