import { type CheckItem, NOT_ANSWERED, shown } from "./check-item.ts";
import type { FoundDmarc } from "./find-dmarc.ts";

/** Checks the policy that servers apply to mail of the domain (RFC 7489). */
export function checkDmarc(found: FoundDmarc, domain: string): CheckItem {
  const item = { check: "dmarc" as const, domain, found: [], record: null };
  const record = { name: `_dmarc.${domain}`, type: "TXT" as const, value: "v=DMARC1; p=none" };
  switch (found.kind) {
    case "unknown":
      return { ...item, verdict: "unknown", explanation: NOT_ANSWERED };
    case "none":
      return {
        ...item,
        record,
        verdict: "problem",
        explanation:
          "The domain has no DMARC record. Large providers refuse or filter bulk mail without one.",
      };
    case "broken":
      return {
        ...item,
        found: shown(found.texts),
        record,
        verdict: "problem",
        explanation:
          found.texts.length > 1
            ? "The domain has several DMARC records, so servers ignore all of them. Keep one."
            : "Servers ignore the DMARC record: it needs the form v=DMARC1; p=none, quarantine or reject.",
      };
    case "record":
      return { ...item, found: shown([found.text]), ...judge(found, domain) };
  }
}

function judge(
  { at, record }: Extract<FoundDmarc, { kind: "record" }>,
  domain: string,
): Pick<CheckItem, "verdict" | "explanation"> {
  const isOwn = at === domain;
  const policy = isOwn ? record.policy : record.subdomainPolicy;
  const whose = isOwn ? "" : ` It is that of ${at}, with its policy for subdomains.`;
  const reports =
    record.reportTo.length > 0
      ? ` Reports go to ${shown(record.reportTo).join(", ")}.`
      : " Nobody gets its reports: add rua=mailto: with an address of yours.";
  const isIdle = policy === "none" && record.reportTo.length === 0;
  return {
    verdict: isIdle ? "warning" : "ok",
    explanation: `The policy is ${policy}.${whose}${reports}`,
  };
}

/**
 * Says whether a pass of SPF counts for DMARC: the envelope and the header must be of one domain.
 */
export function checkAlignment(found: FoundDmarc, domain: string, envelope: string): CheckItem {
  const item = { check: "alignment" as const, domain: envelope, found: [], record: null };
  if (envelope === domain)
    return {
      ...item,
      verdict: "ok",
      explanation: "The envelope sender has the domain of from_email, so SPF counts for DMARC.",
    };
  if (found.kind === "unknown") return { ...item, verdict: "unknown", explanation: NOT_ANSWERED };
  const isStrict = found.kind === "record" && found.record.isSpfStrict;
  if (isRelated(found, domain, envelope) && !isStrict)
    return {
      ...item,
      verdict: "ok",
      explanation: `The envelope sender is of the same organisation as ${domain}, so SPF counts for DMARC.`,
    };
  return {
    ...item,
    verdict: "warning",
    explanation: isStrict
      ? "The DMARC record demands equal domains (aspf=s), so SPF does not count for DMARC. DKIM alone must pass."
      : `The envelope sender is of another domain than ${domain}, so SPF does not count for DMARC. DKIM alone must pass.`,
  };
}

/** Returns true if a signature of a domain counts for DMARC. */
export function isDkimAligned(found: FoundDmarc, domain: string, signer: string): boolean {
  if (signer === domain) return true;
  const isStrict = found.kind === "record" && found.record.isDkimStrict;
  return !isStrict && isRelated(found, domain, signer);
}

/** Returns true if both domains are of one organisation. */
function isRelated({ organisation }: FoundDmarc, domain: string, other: string): boolean {
  return organisation === undefined
    ? isUnder(domain, other) || isUnder(other, domain)
    : isUnder(other, organisation);
}

const isUnder = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`);
