/* Signatures of webhooks: by Standard Webhooks, by Svix, whose headers have other names, by Stripe. */
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { MINUTE_MS } from "../lib/durations.ts";
import { fromBase64 } from "../lib/encoding.ts";
import { secretsEqual } from "../lib/hash.ts";

/** A repeated post has a new time. */
const MAX_AGE_MS = 5 * MINUTE_MS;

/** The shortest key that is accepted, in bytes. */
const MIN_KEY_BYTES = 16;

/** The body and the headers of a post; a header that is missing is "". */
export interface SignedPost {
  bytes: Uint8Array;
  header: (name: string) => string;
}

/** Returns the key in a secret such as `whsec_…` or Supabase's `v1,whsec_…`, if it has one. */
export function keyOfSecret(secret: string): Uint8Array | undefined {
  const decoded = fromBase64(secret.replace(/^(?:v1,)?whsec_/, ""));
  return decoded.ok && decoded.bytes.length >= MIN_KEY_BYTES ? decoded.bytes : undefined;
}

/** Returns true if one of the signatures in the headers is that of the secret, and recent. */
export function isSignedWebhook(
  { bytes, header }: SignedPost,
  secret: string,
  now: number,
  prefix: "svix" | "webhook",
): boolean {
  const key = keyOfSecret(secret);
  const [id, time] = [header(`${prefix}-id`), header(`${prefix}-timestamp`)];
  if (!key || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(now - Number(time) * 1_000) > MAX_AGE_MS) return false;
  const signed = Buffer.concat([Buffer.from(`${id}.${time}.`), bytes]);
  const expected = createHmac("sha256", key).update(signed).digest("base64");
  // Supabase separates several signatures with a comma, too.
  const given = header(`${prefix}-signature`).split(/,? /);
  return given.some((one) => secretsEqual(one, `v1,${expected}`));
}

/** Returns true for a signing secret of Stripe. */
export const isStripeSecret = (secret: string): boolean => /^whsec_\w{16,}$/.test(secret);

/**
 * Returns true if one of the signatures in `Stripe-Signature` is that of the secret, and recent.
 * The whole secret is the key.
 */
export function isSignedByStripe(
  { bytes, header }: SignedPost,
  secret: string,
  now: number,
): boolean {
  const parts = header("stripe-signature").split(",");
  const valuesOf = (name: string) =>
    parts.filter((one) => one.startsWith(`${name}=`)).map((one) => one.slice(name.length + 1));
  const [time = ""] = valuesOf("t");
  if (!isStripeSecret(secret) || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(now - Number(time) * 1_000) > MAX_AGE_MS) return false;
  const signed = Buffer.concat([Buffer.from(`${time}.`), bytes]);
  const expected = createHmac("sha256", secret).update(signed).digest("hex");
  return valuesOf("v1").some((one) => secretsEqual(one, expected));
}
