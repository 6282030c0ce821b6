/*
 * First steps of a diagnosis: the addresses of a mail host, and whether this service can reach
 * them. The DNS response only explains failures and is not a security check: the platform resolves
 * the name again when it connects, and blocks private addresses itself.
 */
import { connectionMessage, type ConnectionMessage } from "../../messages/connections.ts";
import { type Remedy, remedyOf } from "../../messages/remedies.ts";
import type { DnsResolver } from "../../lib/ask-dns.ts";
import { resolveAddresses } from "../../lib/resolve-addresses.ts";
import { isCloudflareAddress } from "../net/cloudflare-addresses.ts";
import { isPublicAddress, parseIpAddress } from "../net/special-addresses.ts";
import type { StepLog } from "./step-log.ts";

export interface Reach {
  resolver: DnsResolver;
  /** True in local development. Skips the lookup, because a local network has its own names. */
  allowPrivate: boolean;
}

/** Maximum number of addresses in a detail. */
const SHOWN_ADDRESSES_MAX = 3;

/**
 * Records the steps `dns` and `address` of a server. Returns the error of a host that cannot be
 * reached; undefined if it can, or if the resolver does not tell. Never shows addresses that are
 * not public.
 */
export async function checkReach(
  { resolver, allowPrivate }: Reach,
  { host, port }: { host: string; port: number },
  log: StepLog,
): Promise<ConnectionMessage | undefined> {
  if (allowPrivate || parseIpAddress(host)) return undefined;
  const fail = (step: "dns" | "address", reason: ConnectionMessage, remedy: Remedy) => {
    log.failed(step, reason, remedy);
    return connectionMessage("not_connected", { server: `${host}:${port}`, reason });
  };
  const answer = await resolveAddresses(resolver, host);
  if (answer.kind === "no_such_name")
    return fail("dns", connectionMessage("name_unknown"), remedyOf("check_host_name"));
  if (answer.kind === "no_address")
    return fail("dns", connectionMessage("address_missing"), remedyOf("enter_mail_host"));
  const texts = answer.kind === "addresses" ? answer.addresses : [];
  const addresses = texts.flatMap((text) => {
    const lower = text.toLowerCase();
    return parseIpAddress(lower.includes(":") ? `[${lower}]` : lower) ?? [];
  });
  if (addresses.length === 0) {
    log.succeeded("dns", connectionMessage("dns_silent"));
    return undefined;
  }
  log.succeeded("dns", connectionMessage("addresses_found", { count: addresses.length }));
  const reachable = addresses.filter((one) => isPublicAddress(one) && !isCloudflareAddress(one));
  if (reachable.length > 0) {
    const shown = reachable.slice(0, SHOWN_ADDRESSES_MAX).map(String).join(", ");
    log.succeeded("address", connectionMessage("addresses_reachable", { addresses: shown }));
    return undefined;
  }
  return addresses.some(isCloudflareAddress)
    ? fail("address", connectionMessage("cloudflare_unreachable"), remedyOf("turn_off_proxy"))
    : fail("address", connectionMessage("address_not_public"), remedyOf("use_public_host"));
}
