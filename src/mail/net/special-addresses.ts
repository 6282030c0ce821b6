/*
 * IP addresses that do not lead to the public Internet. `ipaddr.js` knows the IANA special-purpose
 * address registries; this module adds the host agent of a cloud and the IPv6 addresses that carry
 * an IPv4 address. The input comes from the URL parser, so every address has one spelling.
 */
import ipaddr from "ipaddr.js";

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** The address that answers every virtual machine of Azure; no registry lists it as special. */
const AZURE_HOST_AGENT = "168.63.129.16";

/**
 * The blocks that IANA gives out for the public Internet; `ipaddr.js` calls everything unlisted
 * unicast.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * The prefix of public NAT64 (RFC 6052); a network chooses the layout of the other prefix
 * (RFC 8215).
 */
const PUBLIC_NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Reads the host of a parsed URL: an IPv4 or bracketed IPv6 address, else undefined. An IPv4
 * address mapped into IPv6 (RFC 4291) becomes that IPv4 address.
 */
export function parseIpAddress(host: string): IpAddress | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return ipaddr.IPv4.parse(host);
  const inner = /^\[([\da-f:]+)\]$/.exec(host)?.[1];
  return inner !== undefined && ipaddr.IPv6.isValid(inner) ? ipaddr.process(inner) : undefined;
}

/**
 * Returns true for an address on the public Internet. For an address that carries an IPv4 address
 * through NAT64 or 6to4, the inner one counts. Teredo, IPv4-compatible and local NAT64 addresses
 * are never public: no mail server or webhook needs them, and their inner address may be any.
 */
export function isPublicAddress(address: IpAddress): boolean {
  const target = unwrapV4(address);
  if (target.range() !== "unicast") return false;
  return target.kind() === "ipv4"
    ? target.toString() !== AZURE_HOST_AGENT
    : target.match(GLOBAL_UNICAST);
}

/** Returns true for 127.0.0.0/8 and for ::1. */
export function isLoopbackAddress(address: IpAddress): boolean {
  return address.range() === "loopback";
}

/** Returns the IPv4 address that a NAT64 or 6to4 address carries, or else the address itself. */
export function unwrapV4(address: IpAddress): IpAddress {
  if (address.kind() === "ipv4") return address;
  const bytes = address.toByteArray();
  if (address.match(PUBLIC_NAT64)) return new ipaddr.IPv4(bytes.slice(12));
  return address.range() === "6to4" ? new ipaddr.IPv4(bytes.slice(2, 6)) : address;
}
