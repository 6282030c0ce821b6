import { sha256Hex } from "../../lib/hash.ts";
import { isLoopbackAddress, parseIpAddress } from "../../mail/net/special-addresses.ts";

/** Who limits by address count as one. */
export interface Client {
  /** At most 34 characters of `[0-9a-fvx-]`, whatever was given. */
  name: string;
  isLoopback: boolean;
}

const HASH_DIGITS = 32;

/**
 * Names the client behind an address: one IPv4 address, or all of an IPv6 /64, which is what one
 * customer has (RFC 6177). Takes a port and brackets, as some proxies write them; what is no address
 * at all is named by its hash.
 */
export function clientOf(text: string): Client {
  const url = `http://${isBareV6(text) ? `[${text}]` : text}`;
  const address = URL.canParse(url) ? parseIpAddress(new URL(url).hostname) : undefined;
  if (!address) return { name: `x-${sha256Hex(text).slice(0, HASH_DIGITS)}`, isLoopback: false };
  const { bits, value } = address;
  const isV4 = bits === 32 || value >> 32n === 0xffffn; // also mapped into IPv6 (RFC 4291 §2.5.5.2)
  const name = isV4
    ? `v4-${(value & 0xffff_ffffn).toString(16)}`
    : `v6-${(value >> 64n).toString(16)}`;
  return { name, isLoopback: isLoopbackAddress(address) };
}

/** `1.2.3.4:80` has one colon, `[::1]:80` a bracket. */
function isBareV6(text: string): boolean {
  return !text.startsWith("[") && text.split(":").length > 2;
}
