import type { Deps } from "../../deps.ts";
import { toHex } from "../../lib/encoding.ts";
import { unseal } from "../../lib/seal.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" };

const utf8 = new TextEncoder();

/**
 * Returns the context of an encrypted secret. A secret copied to another webhook cannot be
 * decrypted.
 */
export const secretContext = (webhookId: string) => `webhook:${webhookId}:secret`;

/** Computes the `X-Service-Signature` of a body at a time in milliseconds. */
export type Signer = (body: string, atMs: number) => Promise<string>;

/**
 * Decrypts a webhook's secret and returns a signer for API reference §15.4: `t=<unix
 * seconds>,v1=<lower-case hex of HMAC-SHA256 over "<t>.<body>">` (RFC 2104). The key is the bytes
 * of the secret's text. Throws if the secret cannot be decrypted (ENCRYPTION_KEY has changed).
 */
export async function openSigner(deps: Deps, webhookId: string, sealed: string): Promise<Signer> {
  const secret = await unseal(deps.config.sealingKeys, sealed, secretContext(webhookId));
  const key = await crypto.subtle.importKey("raw", utf8.encode(secret), HMAC, false, ["sign"]);
  return async (body, atMs) => {
    const t = Math.floor(atMs / 1_000);
    const mac = await crypto.subtle.sign(HMAC, key, utf8.encode(`${t}.${body}`));
    return `t=${t},v1=${toHex(new Uint8Array(mac))}`;
  };
}
