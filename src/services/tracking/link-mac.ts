import type { App } from "../../app.ts";
import { fromBase64Url, toBase64Url } from "../../lib/encoding.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" };

/** Imported keys are kept for the isolate's life: importing costs more than signing. */
const keys = new Map<string, CryptoKey>();

async function keyOf(secret: string): Promise<CryptoKey> {
  const known = keys.get(secret);
  if (known) return known;
  const raw = new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey("raw", raw, HMAC, false, ["sign", "verify"]);
  keys.set(secret, key);
  return key;
}

/** The HMAC-SHA256 (RFC 2104) of a text with the current link secret, in base64url. */
export async function signText(app: App, text: string): Promise<string> {
  const key = await keyOf(app.config.linkSecrets.current);
  const mac = await crypto.subtle.sign(HMAC, key, new TextEncoder().encode(text));
  return toBase64Url(new Uint8Array(mac));
}

/** Whether a base64url HMAC is that of the text, by the current link secret or the previous one. */
export async function isTextMac(app: App, text: string, mac: string): Promise<boolean> {
  const decoded = fromBase64Url(mac);
  // One spelling a token: the last base64url digit has bits that no byte uses.
  if (!decoded.ok || toBase64Url(decoded.bytes) !== mac) return false;
  const { current, previous } = app.config.linkSecrets;
  const signed = new TextEncoder().encode(text);
  for (const secret of previous === undefined ? [current] : [current, previous]) {
    if (await crypto.subtle.verify(HMAC, await keyOf(secret), decoded.bytes, signed)) return true;
  }
  return false;
}
