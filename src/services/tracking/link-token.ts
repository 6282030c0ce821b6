import { Buffer } from "node:buffer";
import type { Deps } from "../../deps.ts";
import { fromBase64Url, toBase64Url } from "../../lib/encoding.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { uuidOfHex } from "../../lib/ids.ts";
import { isTextMac, signText, type MacPurpose } from "./link-mac.ts";

const ID_BYTES = 16;
/** The bytes of a number in a token, enough for milliseconds. */
const NUMBER_BYTES = 6;
/**
 * The bytes of an address mark. A signature covers it, so it only has to distinguish two addresses.
 */
const MARK_BYTES = 8;

/** The contents of a link in a mail to a subscriber. */
export interface LinkFacts {
  projectId: string;
  subscriberId: string;
  /** A mark of the recipient's address. */
  addressMark: string;
  /** Additional ids and numbers; their count depends on the purpose. */
  ids: string[];
  numbers: number[];
}

/**
 * Returns the mark of an address, which reveals whether the subscriber's address has changed since.
 */
export function addressMarkOf(subscriberId: string, email: string): string {
  return sha256Hex(`${subscriberId} ${email}`).slice(0, 2 * MARK_BYTES);
}

/** Returns a signed token of this content: the bytes in base64url, a dot, and their HMAC. */
export async function linkToken(
  deps: Deps,
  purpose: MacPurpose,
  { projectId, subscriberId, addressMark, ids, numbers }: LinkFacts,
): Promise<string> {
  const parts = [
    ...[projectId, subscriberId, ...ids].map((id) => Buffer.from(id.replaceAll("-", ""), "hex")),
    Buffer.from(addressMark, "hex"),
    ...numbers.map((number) => {
      const bytes = Buffer.alloc(NUMBER_BYTES);
      bytes.writeUIntBE(number, 0, NUMBER_BYTES);
      return bytes;
    }),
  ];
  const payload = toBase64Url(new Uint8Array(Buffer.concat(parts)));
  return `${payload}.${await signText(deps, purpose, payload)}`;
}

/**
 * Reads a token with this many additional ids and numbers; undefined if it was not signed for the
 * purpose. Tokens made with the previous JWT_SECRET are still valid.
 */
export async function openLinkToken(
  deps: Deps,
  purpose: MacPurpose,
  token: string,
  { ids: idCount, numbers: numberCount }: { ids: number; numbers: number },
): Promise<LinkFacts | undefined> {
  const [payload = "", mac = "", ...rest] = token.split(".");
  if (rest.length > 0 || !(await isTextMac(deps, purpose, payload, mac))) return undefined;
  const decoded = fromBase64Url(payload);
  const idBytes = (2 + idCount) * ID_BYTES;
  if (!decoded.ok || decoded.bytes.length !== idBytes + MARK_BYTES + numberCount * NUMBER_BYTES)
    return undefined;
  const bytes = Buffer.from(decoded.bytes);
  const [projectId = "", subscriberId = "", ...ids] = Array.from({ length: 2 + idCount }, (_, n) =>
    uuidOfHex(bytes.subarray(n * ID_BYTES, (n + 1) * ID_BYTES).toString("hex")),
  );
  const numbersFrom = idBytes + MARK_BYTES;
  return {
    projectId,
    subscriberId,
    ids,
    addressMark: bytes.subarray(idBytes, numbersFrom).toString("hex"),
    numbers: Array.from({ length: numberCount }, (_, n) =>
      bytes.readUIntBE(numbersFrom + n * NUMBER_BYTES, NUMBER_BYTES),
    ),
  };
}
