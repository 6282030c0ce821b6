import { Buffer } from "node:buffer";
import { sha256Hex } from "../../lib/hash.ts";
import { isLoopbackAddress, parseIpAddress } from "../../mail/net/special-addresses.ts";

/** A client whose requests limits by address count together. */
export interface Client {
  /** At most 34 characters of `[0-9a-fvx-]`, whatever was given. */
  name: string;
  isLoopback: boolean;
}

const HASH_DIGITS = 32;

/**
 * Names the client behind an address: one IPv4 address, also mapped into IPv6, or all of an IPv6 /64,
 * which one customer has (RFC 6177). Takes a port and brackets, as some proxies write them. A hash
 * names a text that is no address.
 */
export function clientOf(text: string): Client {
  const url = `http://${isBareV6(text) ? `[${text}]` : text}`;
  const address = URL.canParse(url) ? parseIpAddress(new URL(url).hostname) : undefined;
  if (!address) return { name: `x-${sha256Hex(text).slice(0, HASH_DIGITS)}`, isLoopback: false };
  const bytes = Buffer.from(address.toByteArray());
  const name =
    address.kind() === "ipv4"
      ? `v4-${bytes.readUInt32BE().toString(16)}`
      : `v6-${bytes.readBigUInt64BE().toString(16)}`;
  return { name, isLoopback: isLoopbackAddress(address) };
}

/** `1.2.3.4:80` has one colon, `[::1]:80` a bracket. */
function isBareV6(text: string): boolean {
  return !text.startsWith("[") && text.split(":").length > 2;
}
