import { Buffer } from "node:buffer";
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

/** An event as an attempt posts it. */
export interface SignedEvent {
  /** The id of the event. */
  id: string;
  /** The raw body. */
  body: string;
}

/** Computes the signature headers of an event at a time in milliseconds. */
export type Signer = (event: SignedEvent, atMs: number) => Promise<Record<string, string>>;

/**
 * Decrypts a webhook's secret and returns a signer for API reference §15.4. `X-Service-Signature`
 * is `t=<unix seconds>,v1=<lower-case hex of HMAC-SHA256 over "<t>.<body>">` (RFC 2104), keyed with
 * the bytes of the secret's text. The headers of Standard Webhooks sign "<id>.<t>.<body>", keyed
 * with the secret decoded from base64, of which hexadecimal digits are a part. Throws if the secret
 * cannot be decrypted (ENCRYPTION_KEY has changed).
 */
export async function openSigner(deps: Deps, webhookId: string, sealed: string): Promise<Signer> {
  const secret = await unseal(deps.config.sealingKeys, sealed, secretContext(webhookId));
  const macOfText = await macWith(utf8.encode(secret));
  const macOfBase64 = await macWith(Buffer.from(secret, "base64"));
  return async ({ id, body }, atMs) => {
    const t = Math.floor(atMs / 1_000);
    const own = await macOfText(`${t}.${body}`);
    const standard = await macOfBase64(`${id}.${t}.${body}`);
    return {
      "X-Service-Signature": `t=${t},v1=${toHex(own)}`,
      "webhook-id": id,
      "webhook-timestamp": String(t),
      "webhook-signature": `v1,${Buffer.from(standard).toString("base64")}`,
    };
  };
}

async function macWith(bytes: Uint8Array): Promise<(text: string) => Promise<Uint8Array>> {
  const key = await crypto.subtle.importKey("raw", bytes, HMAC, false, ["sign"]);
  return async (text) => new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8.encode(text)));
}
