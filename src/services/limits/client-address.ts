import { Buffer } from "node:buffer";
import { sha256Hex } from "../../lib/hash.ts";
import { isLoopbackAddress, parseIpAddress } from "../../mail/net/special-addresses.ts";

/** The client that address-based limits count by. */
export interface Client {
  /** A name of at most 34 characters of `[0-9a-z-]` for any input. */
  name: string;
  isLoopback: boolean;
  /** True for the address that all Workers share, which identifies no client. */
  isWorkers: boolean;
}

const HASH_DIGITS = 32;

/** `CF-Connecting-IP` of every request that a Worker of another zone makes (documented). */
const WORKERS_ADDRESS = "2a06:98c0:3600::103";

const NOBODY = { isLoopback: false, isWorkers: false };

/**
 * Cache of clients by recently seen addresses: parsing an address costs more than the rest of a
 * visit.
 */
const known = new Map<string, Client>();
const KNOWN_MAX = 4_096;
/** The maximum length of a cached address, in characters; anything longer is invalid. */
const KNOWN_LENGTH_MAX = 64;

/**
 * Returns the client of an address: a single IPv4 address, also IPv4-mapped, or an entire IPv6 /64,
 * which is typically one customer's (RFC 6177). Accepts a port and brackets, as some proxies add
 * them. Identifies an invalid address by its hash. All Workers count as one client (decision D36).
 */
export function clientOf(text: string): Client {
  const seen = known.get(text);
  if (seen) return seen;
  const client = readClient(text);
  if (known.size >= KNOWN_MAX) known.clear();
  if (text.length <= KNOWN_LENGTH_MAX) known.set(text, client);
  return client;
}

function readClient(text: string): Client {
  const url = `http://${isBareV6(text) ? `[${text}]` : text}`;
  const address = URL.canParse(url) ? parseIpAddress(new URL(url).hostname) : undefined;
  if (!address) return { ...NOBODY, name: `x-${sha256Hex(text).slice(0, HASH_DIGITS)}` };
  if (address.toString() === WORKERS_ADDRESS)
    return { ...NOBODY, name: "x-workers", isWorkers: true };
  const bytes = Buffer.from(address.toByteArray());
  const name =
    address.kind() === "ipv4"
      ? `v4-${bytes.readUInt32BE().toString(16)}`
      : `v6-${bytes.readBigUInt64BE().toString(16)}`;
  return { ...NOBODY, name, isLoopback: isLoopbackAddress(address) };
}

/**
 * Returns true for an IPv6 address without brackets. `1.2.3.4:80` has one colon, `[::1]:80` a
 * bracket.
 */
function isBareV6(text: string): boolean {
  return !text.startsWith("[") && text.split(":").length > 2;
}
