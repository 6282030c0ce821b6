/*
 * Checks that a domain accepts mail. Without MX records, address records serve as an implicit MX
 * (RFC 5321 §5.1). A single MX of "." accepts no mail (RFC 7505). Queried names consist of letters,
 * digits, hyphens and dots (mail/address.ts).
 */
import { askDns, type DnsResolver } from "./ask-dns.ts";

/** `no_answer`: the resolver did not respond in time; `unknown`: its response is inconclusive. */
export type MxVerdict = "takes_mail" | "no_mail" | "unknown" | "no_answer";

/** A null MX (RFC 7505 §3): a preference, and the root as the exchange. */
const NULL_MX = /^\d+\s+\.$/;

/** Queries MX, and A and AAAA only if there is none. Never throws. */
export async function resolveMx(resolver: DnsResolver, domain: string): Promise<MxVerdict> {
  const mx = await askDns(resolver, domain, "MX");
  if (mx.kind === "records" && mx.data.length > 0)
    return mx.data.every((data) => NULL_MX.test(data)) ? "no_mail" : "takes_mail";
  if (mx.kind !== "records") return mx.kind === "no_such_name" ? "no_mail" : mx.kind;
  for (const type of ["A", "AAAA"] as const) {
    const address = await askDns(resolver, domain, type);
    if (address.kind === "unknown" || address.kind === "no_answer") return address.kind;
    if (address.kind === "records" && address.data.length > 0) return "takes_mail";
  }
  return "no_mail";
}
