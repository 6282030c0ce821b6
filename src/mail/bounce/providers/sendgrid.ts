/** Sources: SendGrid, "Event Webhook Reference" and "Signed Event Webhook". */
import { createPublicKey, verify, type KeyObject } from "node:crypto";
import { Buffer } from "node:buffer";
import { HOUR_MS } from "../../../lib/durations.ts";
import { fromBase64 } from "../../../lib/encoding.ts";
import { textOf } from "../json-values.ts";
import { readGeneric } from "./generic.ts";
import { isFresh, type Post, type Provider } from "./provider.ts";

/** SendGrid retries a post for 24 hours. */
const MAX_AGE_MS = 36 * HOUR_MS;
const CURVE = "prime256v1";

const HEADER = "X-Twilio-Email-Event-Webhook-Signature";
const TIME_HEADER = "X-Twilio-Email-Event-Webhook-Timestamp";

const EVENTS =
  /^(?:processed|dropped|delivered|deferred|bounce|open|click|spamreport|(?:group_)?unsubscribe|group_resubscribe)$/;

export const sendgrid: Provider = {
  title: "SendGrid",
  isEvent: (item) => EVENTS.test(textOf(item["event"])),
  read: readGeneric,
  signature: { header: HEADER, isValid },
};

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

/** The signature covers the time and the body. */
function isValid({ bytes, header }: Post, keyText: string, now: number): boolean {
  const [key, decoded, timestamp] = [
    readKey(keyText),
    fromBase64(header(HEADER)),
    header(TIME_HEADER),
  ];
  if (!key || !decoded.ok || !/^\d{1,12}$/.test(timestamp)) return false;
  if (!isFresh(Number(timestamp) * 1_000, now, MAX_AGE_MS)) return false;
  const signed = Buffer.concat([Buffer.from(timestamp, "utf8"), bytes]);
  return verify("sha256", signed, key, decoded.bytes);
}
