/*
 * IP addresses outside the public internet. `ipaddr.js` implements the IANA special-purpose address
 * registries; this module adds the host agent of a cloud and the IPv6 addresses that embed an IPv4
 * address. Input comes from the URL parser, so every address has a canonical spelling.
 */
import ipaddr from "ipaddr.js";

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** The host agent that responds to every Azure virtual machine; no registry lists it as special. */
const AZURE_HOST_AGENT = "168.63.129.16";

/**
 * The blocks that IANA allocates to the public internet; `ipaddr.js` calls everything unlisted
 * unicast.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * The public NAT64 prefix (RFC 6052); for the local-use prefix (RFC 8215), each network chooses the
 * layout.
 */
const PUBLIC_NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Parses the host of a URL: an IPv4 or bracketed IPv6 address, else undefined. An IPv4-mapped IPv6
 * address (RFC 4291) becomes that IPv4 address.
 */
export function parseIpAddress(host: string): IpAddress | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return ipaddr.IPv4.parse(host);
  const inner = /^\[([\da-f:]+)\]$/.exec(host)?.[1];
  return inner !== undefined && ipaddr.IPv6.isValid(inner) ? ipaddr.process(inner) : undefined;
}

/**
 * Returns true for an address on the public internet. For NAT64 and 6to4 addresses, the embedded
 * IPv4 address counts. Teredo, IPv4-compatible and local NAT64 addresses are never public: no mail
 * server or webhook needs them, and their embedded address is arbitrary.
 */
export function isPublicAddress(address: IpAddress): boolean {
  const target = unwrapV4(address);
  if (target.range() !== "unicast") return false;
  return target.kind() === "ipv4"
    ? target.toString() !== AZURE_HOST_AGENT
    : target.match(GLOBAL_UNICAST);
}

/** Returns true for 127.0.0.0/8 and ::1. */
export function isLoopbackAddress(address: IpAddress): boolean {
  return address.range() === "loopback";
}

/** Returns the IPv4 address embedded in a NAT64 or 6to4 address, or else the address itself. */
export function unwrapV4(address: IpAddress): IpAddress {
  if (address.kind() === "ipv4") return address;
  const bytes = address.toByteArray();
  if (address.match(PUBLIC_NAT64)) return new ipaddr.IPv4(bytes.slice(12));
  return address.range() === "6to4" ? new ipaddr.IPv4(bytes.slice(2, 6)) : address;
}
