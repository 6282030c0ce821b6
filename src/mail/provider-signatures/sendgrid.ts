import { createPublicKey, verify, type KeyObject } from "node:crypto";
import { Buffer } from "node:buffer";
import { fromBase64 } from "../../lib/encoding.ts";

/** SendGrid retries a post for 24 hours. */
const MAX_AGE_MS = 36 * 3_600_000;
const CURVE = "prime256v1";

/** Signature headers of a post. */
export interface SendgridSignature {
  signature: string;
  /** Seconds since 1970. */
  timestamp: string;
}

/**
 * Parses the verification key that SendGrid displays: base64 of a SubjectPublicKeyInfo on P-256.
 */
function readKey(text: string): KeyObject | undefined {
  const decoded = fromBase64(text);
  if (!decoded.ok) return undefined;
  try {
    const key = createPublicKey({ key: Buffer.from(decoded.bytes), format: "der", type: "spki" });
    const isRight =
      key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === CURVE;
    return isRight ? key : undefined;
  } catch {
    return undefined; // entered by hand, so may be anything
  }
}

/** Returns true for a valid SendGrid verification key. */
export const isSendgridKey = (text: string): boolean => readKey(text) !== undefined;

/**
 * Returns true if SendGrid signed the body recently. The signature covers the time and the body.
 * Source: SendGrid, "Signed Event Webhook".
 */
export function isSignedBySendgrid(
  body: Uint8Array,
  { signature, timestamp }: SendgridSignature,
  keyText: string,
  now: number,
): boolean {
  const key = readKey(keyText);
  const decoded = fromBase64(signature);
  if (!key || !decoded.ok || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now - Number(timestamp) * 1_000) > MAX_AGE_MS) return false;
  const signed = Buffer.concat([Buffer.from(timestamp, "utf8"), body]);
  return verify("sha256", signed, key, decoded.bytes);
}
