import { askDns, type DnsResolver } from "./ask-dns.ts";

/** `unclear`: the resolver did not respond, or its response is inconclusive. */
export type Addresses =
  | { kind: "addresses"; addresses: string[] }
  | { kind: "no_such_name" }
  | { kind: "no_address" }
  | { kind: "unclear" };

/** Looks up the A and AAAA records of a name in parallel. Never throws. */
export async function resolveAddresses(resolver: DnsResolver, name: string): Promise<Addresses> {
  const answers = await Promise.all([askDns(resolver, name, "A"), askDns(resolver, name, "AAAA")]);
  const addresses = answers.flatMap((answer) => (answer.kind === "records" ? answer.data : []));
  if (addresses.length > 0) return { kind: "addresses", addresses };
  if (answers.some(({ kind }) => kind === "no_such_name")) return { kind: "no_such_name" };
  return answers.every(({ kind }) => kind === "records")
    ? { kind: "no_address" }
    : { kind: "unclear" };
}
