import { findingOf } from "../../messages/findings.ts";
import { type CheckItem, type Judged, judged, NOT_ANSWERED, shown } from "./check-item.ts";
import type { FoundDmarc } from "./find-dmarc.ts";

/** Checks the domain's DMARC policy (RFC 7489). */
export function checkDmarc(found: FoundDmarc, domain: string): CheckItem {
  const item = { check: "dmarc" as const, domain, found: [], record: null };
  const record = { name: `_dmarc.${domain}`, type: "TXT" as const, value: "v=DMARC1; p=none" };
  switch (found.kind) {
    case "unknown":
      return { ...item, ...NOT_ANSWERED };
    case "none":
      return { ...item, record, ...judged("problem", "dmarc_missing") };
    case "broken":
      return {
        ...item,
        found: shown(found.texts),
        record,
        ...judged("problem", found.texts.length > 1 ? "dmarc_several" : "dmarc_ignored"),
      };
    case "record":
      return { ...item, found: shown([found.text]), ...judge(found, domain) };
  }
}

function judge({ at, record }: Extract<FoundDmarc, { kind: "record" }>, domain: string): Judged {
  const isOwn = at === domain;
  const policy = isOwn ? record.policy : record.subdomainPolicy;
  const hasReports = record.reportTo.length > 0;
  const reports = hasReports
    ? findingOf("dmarc_reports", { addresses: shown(record.reportTo).join(", ") })
    : findingOf("dmarc_no_reports");
  const verdict = policy === "none" && !hasReports ? "warning" : "ok";
  return isOwn
    ? judged(verdict, "dmarc_policy", { policy, reports })
    : judged(verdict, "dmarc_policy_above", { policy, domain: at, reports });
}

/** Checks SPF alignment for DMARC: the envelope and the header must use the same domain. */
export function checkAlignment(found: FoundDmarc, domain: string, envelope: string): CheckItem {
  const item = { check: "alignment" as const, domain: envelope, found: [], record: null };
  if (envelope === domain) return { ...item, ...judged("ok", "envelope_same_domain") };
  if (found.kind === "unknown") return { ...item, ...NOT_ANSWERED };
  const isStrict = found.kind === "record" && found.record.isSpfStrict;
  if (isRelated(found, domain, envelope) && !isStrict)
    return { ...item, ...judged("ok", "envelope_same_organization", { domain }) };
  const finding = isStrict
    ? judged("warning", "envelope_not_equal")
    : judged("warning", "envelope_other_domain", { domain });
  return { ...item, ...finding };
}

/** Returns true if a domain's signature is aligned for DMARC. */
export function isDkimAligned(found: FoundDmarc, domain: string, signer: string): boolean {
  if (signer === domain) return true;
  const isStrict = found.kind === "record" && found.record.isDkimStrict;
  return !isStrict && isRelated(found, domain, signer);
}

/** Returns true if both domains belong to the same organization. */
function isRelated({ organization }: FoundDmarc, domain: string, other: string): boolean {
  return organization === undefined
    ? isUnder(domain, other) || isUnder(other, domain)
    : isUnder(other, organization);
}

const isUnder = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`);
