/** Sources: Postal, "Webhooks", and its `lib/postal/signer.rb`. */
import { Buffer } from "node:buffer";
import { createPublicKey, verify, type KeyObject } from "node:crypto";
import { HOUR_MS } from "../../../lib/durations.ts";
import { fromBase64 } from "../../../lib/encoding.ts";
import type { EventMeaning } from "../event-meaning.ts";
import { entryOfEvent } from "../ingest-entry.ts";
import { isObject, objectOf, textOf } from "../json-values.ts";
import { isFresh, meaningIn, type Post, type Provider } from "./provider.ts";

/** Postal repeats a post for less than an hour, with its first time. */
const MAX_AGE_MS = 12 * HOUR_MS;

const MEANINGS: Record<string, EventMeaning> = {
  MessageBounced: "failure",
  MessageDeliveryFailed: "failure",
  MessageDelayed: "soft",
};

export const postal: Provider = {
  title: "Postal",
  isEvent: ({ event, payload }) => textOf(event).startsWith("Message") && isObject(payload),
  read: ({ event, payload }) => {
    const about = objectOf(payload);
    const message = objectOf(about["original_message"] ?? about["message"]);
    const isOutgoing = message["direction"] !== "incoming";
    return entryOfEvent({
      email: message["to"],
      meaning: isOutgoing ? meaningIn(MEANINGS, textOf(event)) : undefined,
      words: textOf(about["output"]).trim() || textOf(about["details"]),
      isDelay: event === "MessageDelayed" && !("bounce" in about),
      messageId: message["message_id"],
    });
  },
  signature: { header: "X-Postal-Signature-256", isValid },
};

function isValid({ bytes, items, header }: Post, keyText: string, now: number): boolean {
  const signature = fromBase64(header("X-Postal-Signature-256"));
  const key = readKey(keyText);
  const isRecent = ({ timestamp }: Post["items"][number]) =>
    isFresh(Number(timestamp) * 1_000, now, MAX_AGE_MS);
  if (!key || !signature.ok || !items.every(isRecent)) return false;
  return verify("sha256", bytes, key, signature.bytes);
}

/** Parses the public key of an installation: PEM, its base64 alone, or its DKIM record. */
function readKey(text: string): KeyObject | undefined {
  const base64 = text
    .replaceAll(/-----[A-Z ]+-----/g, "")
    .replace(/^.*\bp=/s, "")
    .replaceAll(/[\s;]/g, "");
  const decoded = fromBase64(base64);
  if (!decoded.ok) return undefined;
  try {
    return createPublicKey({ key: Buffer.from(decoded.bytes), format: "der", type: "spki" });
  } catch {
    return undefined; // entered by hand, so may be anything
  }
}
