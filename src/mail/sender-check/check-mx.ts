/*
 * Checks that a sender's domain can receive mail: replies, bounces, and callback verification by
 * servers.
 */
import type { AskDns } from "../../lib/dns-session.ts";
import { type CheckItem, judged, NOT_ANSWERED, shown } from "./check-item.ts";

/** A null MX (RFC 7505 §3): a preference, and the root as the exchange. */
const NULL_MX = /^\d+\s+\.$/;

export async function checkMx(ask: AskDns, domain: string): Promise<CheckItem> {
  const item = { check: "mx" as const, domain, found: [], record: null };
  const mx = await ask(domain, "MX");
  if (mx.kind === "no_such_name") return { ...item, ...judged("problem", "domain_unknown") };
  if (mx.kind !== "records") return { ...item, ...NOT_ANSWERED };
  const found = shown(mx.data);
  if (mx.data.some((data) => NULL_MX.test(data)))
    return { ...item, found, ...judged("problem", "null_mx") };
  if (mx.data.length > 0) return { ...item, found, ...judged("ok", "mx_found") };
  return checkAddress(ask, domain);
}

/** Without MX records, address records serve as an implicit MX (RFC 5321 §5.1). */
async function checkAddress(ask: AskDns, domain: string): Promise<CheckItem> {
  const answers = await Promise.all([ask(domain, "A"), ask(domain, "AAAA")]);
  const found = shown(answers.flatMap((answer) => (answer.kind === "records" ? answer.data : [])));
  const item = { check: "mx" as const, domain, found, record: null };
  if (found.length > 0) return { ...item, ...judged("warning", "mx_missing") };
  if (answers.some(({ kind }) => kind === "unknown" || kind === "no_answer"))
    return { ...item, ...NOT_ANSWERED };
  return { ...item, ...judged("problem", "mx_and_address_missing") };
}
