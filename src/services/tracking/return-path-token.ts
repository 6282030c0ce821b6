import { Buffer } from "node:buffer";
import type { Deps } from "../../deps.ts";
import { fromBase32, toBase32 } from "../../lib/base32.ts";
import { toHex } from "../../lib/encoding.ts";
import { secretsEqual } from "../../lib/hash.ts";
import { uuidOfHex } from "../../lib/ids.ts";
import { fillReturnPath, RETURN_PATH_TOKEN_LENGTH } from "../../mail/return-path.ts";
import { signText, textMacs } from "./link-mac.ts";

const ID_BYTES = 16;
/** The bytes of the MAC in a token: a forgery succeeds once in 2^80 attempts. */
const MAC_BYTES = 10;
/** The byte of a UUIDv7 that starts with its version, 0111. Its top bit is `COPIES_BIT`. */
const VERSION_BYTE = 6;
const COPIES_BIT = 0x80;
const VARIANT_BYTE = 8;

/** Text that may contain a token, because mail servers may have joined it to other letters. */
const LETTERS = new RegExp(`[a-z2-7]{${RETURN_PATH_TOKEN_LENGTH},}`, "g");

/** The mail that a return path identifies. */
export interface ReturnedTo {
  logId: string;
  /** True if the mail had other recipients in its envelope, whom a report may be about. */
  hasCopies: boolean;
}

/**
 * Returns the envelope sender of a mail: the pattern of its project with a token. The token is the
 * log id and its MAC in base32, because mail servers may change the case of an address.
 */
export async function returnPathOf(
  deps: Deps,
  pattern: string,
  { logId, hasCopies }: ReturnedTo,
): Promise<string> {
  const id = new Uint8Array(Buffer.from(logId.replaceAll("-", ""), "hex"));
  if (hasCopies) id[VERSION_BYTE] = (id[VERSION_BYTE] ?? 0) | COPIES_BIT;
  return fillReturnPath(pattern, tokenOf(id, await signText(deps, "return-path", toHex(id))));
}

function tokenOf(id: Uint8Array, mac: string): string {
  return toBase32(Buffer.concat([id, Buffer.from(mac, "base64url").subarray(0, MAC_BYTES)]));
}

/**
 * Returns the mail of the first of these addresses with a valid token; undefined if none has one.
 * Tokens made with the previous JWT_SECRET are still valid. The pattern is ignored, because it may
 * have changed since the mail was sent.
 */
export async function openReturnPaths(
  deps: Deps,
  addresses: string[],
): Promise<ReturnedTo | undefined> {
  for (const address of addresses) {
    const local = address.slice(0, address.lastIndexOf("@")).toLowerCase();
    for (const [letters] of local.matchAll(LETTERS)) {
      for (let at = 0; at + RETURN_PATH_TOKEN_LENGTH <= letters.length; at++) {
        const token = letters.slice(at, at + RETURN_PATH_TOKEN_LENGTH);
        const opened = await openToken(deps, token);
        if (opened) return opened;
      }
    }
  }
  return undefined;
}

async function openToken(deps: Deps, token: string): Promise<ReturnedTo | undefined> {
  const id = fromBase32(token)?.slice(0, ID_BYTES);
  if (!id || !isUuidV7(id)) return undefined;
  const macs = await textMacs(deps, "return-path", toHex(id));
  if (!macs.some((mac) => secretsEqual(tokenOf(id, mac), token))) return undefined;
  const version = id[VERSION_BYTE] ?? 0;
  id[VERSION_BYTE] = version & ~COPIES_BIT;
  return { logId: uuidOfHex(toHex(id)), hasCopies: (version & COPIES_BIT) !== 0 };
}

const isUuidV7 = (id: Uint8Array) =>
  ((id[VERSION_BYTE] ?? 0) & 0x70) === 0x70 && ((id[VARIANT_BYTE] ?? 0) & 0xc0) === 0x80;
