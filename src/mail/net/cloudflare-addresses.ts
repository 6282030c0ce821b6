/*
 * Hosts that belong to Cloudflare. Workers cannot open a socket to them, so neither a mail host
 * behind Cloudflare's proxy nor Cloudflare's own mail servers can be used.
 */
import ipaddr from "ipaddr.js";
import { type IpAddress, unwrapV4 } from "./special-addresses.ts";

/** The ranges that Cloudflare publishes (https://www.cloudflare.com/ips/). */
const RANGES = [
  "173.245.48.0/20",
  "103.21.244.0/22",
  "103.22.200.0/22",
  "103.31.4.0/22",
  "141.101.64.0/18",
  "108.162.192.0/18",
  "190.93.240.0/20",
  "188.114.96.0/20",
  "197.234.240.0/22",
  "198.41.128.0/17",
  "162.158.0.0/15",
  "104.16.0.0/13",
  "104.24.0.0/14",
  "172.64.0.0/13",
  "131.0.72.0/22",
  "2400:cb00::/32",
  "2606:4700::/32",
  "2803:f800::/32",
  "2405:b500::/32",
  "2405:8100::/32",
  "2a06:98c0::/29",
  "2c0f:f248::/32",
].map((range) => ipaddr.parseCIDR(range));

/** Domain of Cloudflare's own mail servers. */
const MAIL_DOMAIN = "mx.cloudflare.net";

/** Returns true for a Cloudflare address, even if embedded in an IPv6 address. */
export function isCloudflareAddress(address: IpAddress): boolean {
  const target = unwrapV4(address);
  return RANGES.some(([first, bits]) => {
    return first.kind() === target.kind() && target.match(first, bits);
  });
}

/** Returns true for the host name of a Cloudflare mail server. */
export function isCloudflareMailHost(host: string): boolean {
  return host === MAIL_DOMAIN || host.endsWith(`.${MAIL_DOMAIN}`);
}
