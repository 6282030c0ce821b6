/*
 * First steps of a diagnosis: the addresses of a mail host, and whether this service can reach
 * them. The DNS response only explains failures and is not a security check: the platform resolves
 * the name again when it connects, and blocks private addresses itself.
 */
import { connectionMessage, type ConnectionMessage } from "../../messages/connections.ts";
import { remedyOf } from "../../messages/remedies.ts";
import type { DnsResolver } from "../../lib/ask-dns.ts";
import { resolveAddresses } from "../../lib/resolve-addresses.ts";
import { isCloudflareAddress } from "../net/cloudflare-addresses.ts";
import { type IpAddress, isPublicAddress, parseIpAddress } from "../net/special-addresses.ts";
import type { StepLog } from "./step-log.ts";

export interface Reach {
  resolver: DnsResolver;
  /** True in local development. Skips the lookup, because a local network has its own names. */
  allowPrivate: boolean;
}

/** Maximum number of addresses in a detail. */
const SHOWN_ADDRESSES_MAX = 3;

/**
 * Records the steps `dns` and `address` of a name. Returns why the host cannot be reached;
 * undefined if it can, or if the resolver does not tell. Never shows addresses that are not public.
 */
export async function checkReach(
  { resolver, allowPrivate }: Reach,
  host: string,
  log: StepLog,
): Promise<ConnectionMessage | undefined> {
  if (allowPrivate || parseIpAddress(host)) return undefined;
  const answer = await resolveAddresses(resolver, host);
  if (answer.kind === "no_such_name") {
    const reason = connectionMessage("name_unknown");
    log.failed("dns", reason, remedyOf("check_host_name"));
    return reason;
  }
  if (answer.kind === "no_address") {
    const reason = connectionMessage("address_missing");
    log.failed("dns", reason, remedyOf("enter_mail_host"));
    return reason;
  }
  const addresses = answer.kind === "addresses" ? parseAll(answer.addresses) : [];
  if (addresses.length === 0) {
    log.succeeded("dns", connectionMessage("dns_silent"));
    return undefined;
  }
  log.succeeded("dns", connectionMessage("addresses_found", { count: addresses.length }));
  return judge(addresses, log);
}

function judge(addresses: IpAddress[], log: StepLog): ConnectionMessage | undefined {
  const isReachable = (address: IpAddress) =>
    isPublicAddress(address) && !isCloudflareAddress(address);
  const reachable = addresses.filter(isReachable);
  if (reachable.length > 0) {
    const shown = reachable.slice(0, SHOWN_ADDRESSES_MAX).map(String).join(", ");
    const count = addresses.length - reachable.length;
    const found =
      count > 0
        ? connectionMessage("some_addresses_reachable", { addresses: shown, count })
        : connectionMessage("addresses_reachable", { addresses: shown });
    log.succeeded("address", found);
    return undefined;
  }
  const isCloudflare = addresses.some(isCloudflareAddress);
  const reason = connectionMessage(isCloudflare ? "cloudflare_unreachable" : "address_not_public");
  log.failed("address", reason, remedyOf(isCloudflare ? "turn_off_proxy" : "use_public_host"));
  return reason;
}

function parseAll(texts: string[]): IpAddress[] {
  return texts.flatMap((text) => {
    const lower = text.toLowerCase();
    return parseIpAddress(lower.includes(":") ? `[${lower}]` : lower) ?? [];
  });
}
