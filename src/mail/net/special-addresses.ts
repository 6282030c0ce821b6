/*
 * IP addresses that do not lead to the public Internet. Sources: the IANA special-purpose address
 * registries for IPv4 and IPv6 (RFC 6890), multicast (RFC 5771, RFC 4291) and the metadata services
 * of clouds. The input comes from the URL parser, so every address has one spelling.
 */

/** An address as a number with its width. */
export interface IpAddress {
  bits: 32 | 128;
  value: bigint;
}

const SPECIAL_V4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // Azure's host agent
  "169.254.0.0/16", // link-local, metadata services
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // former 6to4 relays
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
].map(parseRange);

const GLOBAL_UNICAST_V6 = parseRange("2000::/3");
const SPECIAL_V6 = [
  "2001::/23", // protocol assignments, Teredo among them
  "2001:db8::/32", // documentation
  "3fff::/20", // documentation
].map(parseRange);

/** Ranges of IPv6 that carry an IPv4 address, and the number of bits to its right. */
const V4_INSIDE_V6 = [
  { range: parseRange("::ffff:0:0/96"), bitsToTheRight: 0n }, // mapped (RFC 4291)
  { range: parseRange("64:ff9b::/96"), bitsToTheRight: 0n }, // NAT64 (RFC 6052)
  { range: parseRange("2002::/16"), bitsToTheRight: 80n }, // 6to4 (RFC 3056)
];

const LOOPBACK = ["127.0.0.0/8", "::1/128"].map(parseRange);

/** Reads the host of a parsed URL: an IPv4 or bracketed IPv6 address, else undefined. */
export function parseIpAddress(host: string): IpAddress | undefined {
  if (/^\d+(?:\.\d+){3}$/.test(host)) return parseV4(host);
  return host.startsWith("[") ? parseV6(host.slice(1, -1)) : undefined;
}

/**
 * Returns true for an address on the public Internet. Of a wrapped IPv4 address, the inner address
 * counts.
 */
export function isPublicAddress(address: IpAddress): boolean {
  const wrapped = unwrapV4(address);
  if (wrapped.bits === 32) return !SPECIAL_V4.some((range) => contains(range, wrapped));
  return (
    contains(GLOBAL_UNICAST_V6, wrapped) && !SPECIAL_V6.some((range) => contains(range, wrapped))
  );
}

/** Returns true for 127.0.0.0/8, also mapped into IPv6, and for ::1. */
export function isLoopbackAddress(address: IpAddress): boolean {
  const wrapped = unwrapV4(address);
  return LOOPBACK.some((range) => contains(range, wrapped));
}

interface Range extends IpAddress {
  prefixLength: number;
}

function parseRange(text: string): Range {
  const [address = "", prefixLength] = text.split("/");
  const parsed = address.includes(":") ? parseV6(address) : parseV4(address);
  return { ...parsed, prefixLength: Number(prefixLength) };
}

function contains(range: Range, address: IpAddress): boolean {
  const shift = BigInt(range.bits - range.prefixLength);
  return range.bits === address.bits && range.value >> shift === address.value >> shift;
}

function unwrapV4(address: IpAddress): IpAddress {
  const wrapper = V4_INSIDE_V6.find(({ range }) => contains(range, address));
  if (!wrapper) return address;
  return { bits: 32, value: (address.value >> wrapper.bitsToTheRight) & 0xffff_ffffn };
}

function parseV4(text: string): IpAddress {
  return { bits: 32, value: joinGroups(text.split(".").map(BigInt), 8n) };
}

function parseV6(text: string): IpAddress {
  const [head = "", tail] = text.split("::");
  const before = parseGroups(head);
  const after = parseGroups(tail ?? "");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0n);
  return { bits: 128, value: joinGroups([...before, ...zeros, ...after], 16n) };
}

function parseGroups(text: string): bigint[] {
  return text === "" ? [] : text.split(":").map((group) => BigInt(`0x${group}`));
}

function joinGroups(groups: bigint[], groupBits: bigint): bigint {
  return groups.reduce((value, group) => (value << groupBits) | group, 0n);
}
