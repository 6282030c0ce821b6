/* Checks optional records of a domain; none of them decides whether mail arrives. */
import { findingOf } from "../../messages/findings.ts";
import type { AskDns } from "../../lib/dns-session.ts";
import { type CheckItem, findTexts, judged, shown } from "./check-item.ts";

interface Extra {
  check: "bimi" | "mta_sts" | "tls_rpt";
  prefix: string;
  text: RegExp;
}

const EXTRAS: Extra[] = [
  {
    check: "bimi",
    prefix: "default._bimi",
    text: /^v=BIMI1\s*(?:;|$)/i,
  },
  {
    check: "mta_sts",
    prefix: "_mta-sts",
    text: /^v=STSv1\s*(?:;|$)/i,
  },
  {
    check: "tls_rpt",
    prefix: "_smtp._tls",
    text: /^v=TLSRPTv1\s*(?:;|$)/i,
  },
];

export function checkExtras(ask: AskDns, domain: string): Promise<CheckItem[]> {
  return Promise.all(
    EXTRAS.map(async ({ check, prefix, text }) => {
      const texts = await findTexts(ask, `${prefix}.${domain}`, text);
      const isSet = texts && texts.length > 0;
      const code = !texts ? "dns_not_answered" : isSet ? "record_set" : "record_not_set";
      const found = shown(texts ?? []);
      const finding = judged("info", check, { state: findingOf(code) });
      return { check, domain, found, ...finding, record: null };
    }),
  );
}
