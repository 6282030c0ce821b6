/* Checks the further records that a domain may have; none of them decides whether mail arrives. */
import type { AskDns } from "../../lib/dns-session.ts";
import { type CheckItem, findTexts, NOT_ANSWERED, shown } from "./check-item.ts";

interface Extra {
  check: "bimi" | "mta_sts" | "tls_rpt";
  prefix: string;
  text: RegExp;
  purpose: string;
}

const EXTRAS: Extra[] = [
  {
    check: "bimi",
    prefix: "default._bimi",
    text: /^v=BIMI1\s*(?:;|$)/i,
    purpose: "BIMI shows a logo beside mails of a domain with an enforced DMARC policy.",
  },
  {
    check: "mta_sts",
    prefix: "_mta-sts",
    text: /^v=STSv1\s*(?:;|$)/i,
    purpose: "MTA-STS makes servers use TLS for mail to the domain.",
  },
  {
    check: "tls_rpt",
    prefix: "_smtp._tls",
    text: /^v=TLSRPTv1\s*(?:;|$)/i,
    purpose: "TLS-RPT brings reports of failed TLS for mail to the domain.",
  },
];

export function checkExtras(ask: AskDns, domain: string): Promise<CheckItem[]> {
  return Promise.all(
    EXTRAS.map(async ({ check, prefix, text, purpose }) => {
      const texts = await findTexts(ask, `${prefix}.${domain}`, text);
      const state = !texts ? NOT_ANSWERED : texts.length > 0 ? "It is set." : "It is not set.";
      const found = shown(texts ?? []);
      const explanation = `${purpose} ${state}`;
      return { check, domain, verdict: "info", found, explanation, record: null };
    }),
  );
}
