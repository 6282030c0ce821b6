import { findingOf } from "../../messages/findings.ts";
import { type CheckItem, itemOf, type Judged, judged, NOT_ANSWERED, shown } from "./check-item.ts";
import { type FoundDmarc, isAligned } from "./find-dmarc.ts";
import type { SenderFacts } from "./read-facts.ts";

/** Checks the domain's DMARC policy. */
export function checkDmarc({ dmarc, domain }: SenderFacts): CheckItem[] {
  const record = { name: `_dmarc.${domain}`, type: "TXT", value: "v=DMARC1; p=none" } as const;
  switch (dmarc.kind) {
    case "unknown":
      return [itemOf("dmarc", domain, NOT_ANSWERED)];
    case "none":
      return [itemOf("dmarc", domain, judged("problem", "dmarc_missing"), [], record)];
    case "broken": {
      const code = dmarc.texts.length > 1 ? "dmarc_several" : "dmarc_ignored";
      return [itemOf("dmarc", domain, judged("problem", code), dmarc.texts, record)];
    }
    case "record":
      return [itemOf("dmarc", domain, judge(dmarc, domain), [dmarc.text])];
  }
}

function judge({ at, record }: Extract<FoundDmarc, { kind: "record" }>, domain: string): Judged {
  const policy = at === domain ? record.policy : record.subdomainPolicy;
  const hasReports = record.reportTo.length > 0;
  const reports = hasReports
    ? findingOf("dmarc_reports", { addresses: shown(record.reportTo).join(", ") })
    : findingOf("dmarc_no_reports");
  const verdict = policy === "none" && !hasReports ? "warning" : "ok";
  return judged(verdict, "dmarc_policy", { policy, domain: at, reports });
}

/** Checks SPF alignment for DMARC: the envelope and the header must use the same domain. */
export function checkAlignment({ dmarc, domain, envelopeDomain }: SenderFacts): CheckItem[] {
  const verdict = isAligned(dmarc, domain, envelopeDomain, "isSpfStrict")
    ? judged("ok", "envelope_aligned", { domain })
    : judged("warning", "envelope_not_aligned", { domain });
  const isKnown = envelopeDomain === domain || dmarc.kind !== "unknown";
  return [itemOf("alignment", envelopeDomain, isKnown ? verdict : NOT_ANSWERED)];
}
