import type { Deps } from "../../deps.ts";
import { toBase64Url } from "../../lib/encoding.ts";

const encoder = new TextEncoder();

const HMAC = { name: "HMAC", hash: "SHA-256" };

/**
 * Cache of imported keys for the lifetime of the isolate: an import costs more than a signature.
 */
const keys = new Map<string, CryptoKey>();

async function importKey(secret: string): Promise<CryptoKey> {
  const raw = encoder.encode(secret);
  const key = await crypto.subtle.importKey("raw", raw, HMAC, false, ["sign"]);
  keys.set(secret, key);
  return key;
}

/** The purposes of the link secrets; a MAC for one purpose is invalid for any other. */
export type MacPurpose =
  | "click"
  | "unsubscribe"
  | "undo-unsubscribe"
  | "return-path"
  | "preferences"
  | "confirm"
  | "data"
  | "view";

const purposed = (purpose: MacPurpose, text: string) => `${purpose}:${text}`;

/**
 * Returns the HMAC-SHA256 (RFC 2104) of a purpose and text with the current link secret, in
 * base64url.
 */
export async function signText(deps: Deps, purpose: MacPurpose, text: string): Promise<string> {
  return macOf(deps.config.linkSecrets.current, purposed(purpose, text));
}

/**
 * Returns true if a MAC is valid for the text and purpose, with the current or previous link
 * secret.
 */
export async function isTextMac(
  deps: Deps,
  purpose: MacPurpose,
  text: string,
  mac: string,
): Promise<boolean> {
  for (const secret of secretsOf(deps)) {
    if (isSameText(await macOf(secret, purposed(purpose, text)), mac)) return true;
  }
  return false;
}

/** Returns the MACs of a text for this purpose, with the current and the previous link secret. */
export function textMacs(deps: Deps, purpose: MacPurpose, text: string): Promise<string[]> {
  return Promise.all(secretsOf(deps).map((secret) => macOf(secret, purposed(purpose, text))));
}

function secretsOf({ config: { linkSecrets } }: Deps): string[] {
  const { current, previous } = linkSecrets;
  return previous === undefined ? [current] : [current, previous];
}

async function macOf(secret: string, text: string): Promise<string> {
  const key = keys.get(secret) ?? (await importKey(secret));
  const mac = await crypto.subtle.sign(HMAC, key, encoder.encode(text));
  return toBase64Url(new Uint8Array(mac));
}

/** Compares in constant time. */
function isSameText(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let at = 0; at < expected.length; at++)
    difference |= expected.charCodeAt(at) ^ given.charCodeAt(at);
  return difference === 0;
}
