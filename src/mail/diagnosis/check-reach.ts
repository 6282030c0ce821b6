/*
 * The first steps of a diagnosis: the addresses of a mail host, and whether this service can reach
 * them. The answer of the resolver explains failures. It protects nothing, because the platform
 * resolves the name again when it connects, and refuses private addresses itself.
 */
import type { DnsResolver } from "../../lib/ask-dns.ts";
import { resolveAddresses } from "../../lib/resolve-addresses.ts";
import { CLOUDFLARE_UNREACHABLE, isCloudflareAddress } from "../net/cloudflare-addresses.ts";
import { type IpAddress, isPublicAddress, parseIpAddress } from "../net/special-addresses.ts";
import type { StepLog } from "./step-log.ts";

export interface Reach {
  resolver: DnsResolver;
  /**
   * True in local development. Nothing is looked up there: a local network has names of its own.
   */
  allowPrivate: boolean;
}

/** Addresses that a detail shows. */
const SHOWN_ADDRESSES_MAX = 3;

const REMEDY = {
  noSuchName: "Check the host name for a typing error, or ask your mail provider for it.",
  noAddress: "Enter the host name of the mail server itself: this name has no address record.",
  cloudflare:
    "If your own server stands behind Cloudflare's proxy, set its DNS record to “DNS only”. " +
    "Otherwise enter another mail server: those of Cloudflare itself cannot be used from Workers.",
  notPublic: "Enter a host with a public address. This service cannot reach private networks.",
};

/**
 * Records the steps `dns` and `address` of a name. Returns the reason why the host cannot be
 * reached, or undefined when it can, or when the resolver does not tell. Addresses that are not
 * public are never shown.
 */
export async function checkReach(
  { resolver, allowPrivate }: Reach,
  host: string,
  log: StepLog,
): Promise<string | undefined> {
  if (allowPrivate || parseIpAddress(host)) return undefined;
  const answer = await resolveAddresses(resolver, host);
  if (answer.kind === "no_such_name") {
    const reason = "the DNS knows no such name";
    log.failed("dns", reason, REMEDY.noSuchName);
    return reason;
  }
  if (answer.kind === "no_address") {
    const reason = "the name has no address in the DNS";
    log.failed("dns", reason, REMEDY.noAddress);
    return reason;
  }
  const addresses = answer.kind === "addresses" ? parseAll(answer.addresses) : [];
  if (addresses.length === 0) {
    log.succeeded("dns", "the resolver did not answer, so the addresses were not checked");
    return undefined;
  }
  log.succeeded("dns", `addresses: ${addresses.length}`);
  return judge(addresses, log);
}

function judge(addresses: IpAddress[], log: StepLog): string | undefined {
  const isReachable = (address: IpAddress) =>
    isPublicAddress(address) && !isCloudflareAddress(address);
  const reachable = addresses.filter(isReachable);
  if (reachable.length > 0) {
    const shown = reachable.slice(0, SHOWN_ADDRESSES_MAX);
    const others = addresses.length - reachable.length;
    const note = others > 0 ? `cannot be reached: ${others} more` : "";
    log.succeeded("address", [...shown.map(String), note].filter((part) => part !== "").join(", "));
    return undefined;
  }
  if (addresses.some(isCloudflareAddress)) {
    log.failed("address", CLOUDFLARE_UNREACHABLE, REMEDY.cloudflare);
    return CLOUDFLARE_UNREACHABLE;
  }
  const reason = "its address is not public";
  log.failed("address", reason, REMEDY.notPublic);
  return reason;
}

function parseAll(texts: string[]): IpAddress[] {
  return texts.flatMap((text) => {
    const lower = text.toLowerCase();
    return parseIpAddress(lower.includes(":") ? `[${lower}]` : lower) ?? [];
  });
}
