/** Sources: Lettermint, "Webhook events" and "Verifying webhooks". */
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { MINUTE_MS } from "../../../lib/durations.ts";
import { secretsEqual } from "../../../lib/hash.ts";
import type { EventMeaning } from "../event-meaning.ts";
import { readEvidence } from "../evidence.ts";
import { entryOfEvent } from "../ingest-entry.ts";
import { isObject, objectOf, textOf } from "../json-values.ts";
import { isFresh, meaningIn, type Post, type Provider } from "./provider.ts";

const MAX_AGE_MS = 5 * MINUTE_MS;

const MEANINGS: Record<string, EventMeaning> = {
  "message.hard_bounced": "failure",
  "message.soft_bounced": "soft",
  "message.spam_complaint": "complaint",
  "message.suppressed": "permanent",
  "message.unsubscribed": "opt_out",
};

export const lettermint: Provider = {
  title: "Lettermint",
  isEvent: ({ event, data }) => textOf(event).startsWith("message.") && isObject(data),
  read: ({ event, data }) => {
    const { recipient, response, message_id: messageId } = objectOf(data);
    const { status_code: code, enhanced_status_code: enhanced, content } = objectOf(response);
    const words = [code, enhanced, content].filter(Boolean).map(String).join(" ");
    const meaning = meaningIn(MEANINGS, textOf(event));
    return entryOfEvent({
      email: recipient,
      meaning,
      words,
      evidence: readEvidence(words),
      messageId,
    });
  },
  signature: { header: "X-Lettermint-Signature", isValid },
};

function isValid({ bytes, header }: Post, secret: string, now: number): boolean {
  const given = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header("X-Lettermint-Signature"));
  const [, time = "", mac = ""] = given ?? [];
  if (mac === "" || !isFresh(Number(time) * 1_000, now, MAX_AGE_MS)) return false;
  const signed = Buffer.concat([Buffer.from(`${time}.`), bytes]);
  return secretsEqual(mac, createHmac("sha256", secret).update(signed).digest("hex"));
}
