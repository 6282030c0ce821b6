import { createHmac } from "node:crypto";
import { secretsEqual } from "../../lib/hash.ts";
import { type JsonObject, objectOf, textOf } from "../bounce/json-values.ts";

/** Mailgun retries an event for 8 hours. */
const MAX_AGE_MS = 12 * 3_600_000;

/**
 * Returns true for an event with a valid Mailgun signature that is not too old. The signature
 * covers a time and a random token, not the event. Source: Mailgun, "Securing webhooks".
 */
export function isSignedByMailgun(item: JsonObject, key: string, now: number): boolean {
  const { timestamp, token, signature } = objectOf(item["signature"]);
  const time = typeof timestamp === "number" ? String(timestamp) : textOf(timestamp);
  if (!/^\d{1,12}$/.test(time) || textOf(token) === "") return false;
  if (Math.abs(now - Number(time) * 1_000) > MAX_AGE_MS) return false;
  const expected = createHmac("sha256", key)
    .update(time + textOf(token), "utf8")
    .digest("hex");
  return secretsEqual(textOf(signature), expected);
}
