/* Mail to a sender's domain: replies, bounces, and checks that servers make of senders. */
import type { AskDns } from "../../lib/dns-session.ts";
import { type CheckItem, NOT_ANSWERED, shown } from "./check-item.ts";

/** A null MX (RFC 7505 §3): a preference, and the root as the exchange. */
const NULL_MX = /^\d+\s+\.$/;

export async function checkMx(ask: AskDns, domain: string): Promise<CheckItem> {
  const item = { check: "mx" as const, domain, found: [], record: null };
  const mx = await ask(domain, "MX");
  if (mx.kind === "no_such_name")
    return {
      ...item,
      verdict: "problem",
      explanation: "The DNS knows no such domain. Servers refuse mail from it.",
    };
  if (mx.kind !== "records") return { ...item, verdict: "unknown", explanation: NOT_ANSWERED };
  const found = shown(mx.data);
  if (mx.data.some((data) => NULL_MX.test(data)))
    return {
      ...item,
      found,
      verdict: "problem",
      explanation:
        "The domain says that it takes no mail (null MX, RFC 7505). Replies and bounces are lost, and servers may refuse its mail for that.",
    };
  if (mx.data.length > 0)
    return { ...item, found, verdict: "ok", explanation: "The domain takes replies and bounces." };
  return checkAddress(ask, domain);
}

/** Without MX records, address records count as one (RFC 5321 §5.1). */
async function checkAddress(ask: AskDns, domain: string): Promise<CheckItem> {
  const answers = await Promise.all([ask(domain, "A"), ask(domain, "AAAA")]);
  const found = shown(answers.flatMap((answer) => (answer.kind === "records" ? answer.data : [])));
  const item = { check: "mx" as const, domain, found, record: null };
  if (found.length > 0)
    return {
      ...item,
      verdict: "warning",
      explanation:
        "The domain has no MX record, so replies and bounces go to its address records. Set an MX record that names your mail server.",
    };
  if (answers.some(({ kind }) => kind === "unknown" || kind === "no_answer"))
    return { ...item, verdict: "unknown", explanation: NOT_ANSWERED };
  return {
    ...item,
    verdict: "problem",
    explanation:
      "The domain has neither an MX record nor an address, so it takes no replies and no bounces. Many servers refuse mail from such a domain. Set an MX record that names your mail server.",
  };
}
