/** Sources: Mailgun, "Event structure" and "Securing webhooks". */
import { createHmac } from "node:crypto";
import { HOUR_MS } from "../../../lib/durations.ts";
import { secretsEqual } from "../../../lib/hash.ts";
import { DELAY, meaningOf } from "../event-meaning.ts";
import { hasCode, readEvidence } from "../evidence.ts";
import { entryOfEvent, type IngestEntry } from "../ingest-entry.ts";
import { isObject, type JsonObject, objectOf, textOf } from "../json-values.ts";
import { isFresh, type Provider } from "./provider.ts";

/** Mailgun retries an event for 8 hours. */
const MAX_AGE_MS = 12 * HOUR_MS;

const isEvent = (item: JsonObject) => isObject(item["event-data"]);

export const mailgun: Provider = {
  title: "Mailgun",
  isEvent,
  read: (item) => readEvent(objectOf(item["event-data"])),
  signature: {
    isValid: ({ items }, key, now) =>
      items.every((item) => isEvent(item) && isSigned(item, key, now)),
    uses: ({ items }) =>
      items.map((item) => ({
        key: textOf(objectOf(item["signature"])["token"]),
        content: JSON.stringify(item["event-data"]),
      })),
  },
};

function readEvent(event: JsonObject): IngestEntry[] {
  const status = objectOf(event["delivery-status"]);
  const message = textOf(status["message"]) || textOf(status["description"]);
  const code = Number(status["code"]);
  const codes = Number.isInteger(code) && code >= 400 ? { code } : {};
  const evidence = { ...readEvidence(message), ...codes };
  const severity = textOf(event["severity"]).trim().toLowerCase();
  const name = textOf(event["event"]).trim() || (hasCode(evidence) ? "failed" : severity);
  const meaning = meaningOf(name, "");
  return entryOfEvent({
    email: event["recipient"],
    meaning: meaning === "failure" && severity === "permanent" ? "permanent" : meaning,
    words: message || textOf(event["reason"]),
    evidence,
    isDelay: severity === "temporary" || DELAY.test(name),
    messageId: objectOf(objectOf(event["message"])["headers"])["message-id"],
  });
}

/** The signature covers a time and a random token, not the event. */
function isSigned(item: JsonObject, key: string, now: number): boolean {
  const { timestamp, token, signature } = objectOf(item["signature"]);
  const time = typeof timestamp === "number" ? String(timestamp) : textOf(timestamp);
  if (!/^\d{1,12}$/.test(time) || textOf(token) === "") return false;
  if (!isFresh(Number(time) * 1_000, now, MAX_AGE_MS)) return false;
  const expected = createHmac("sha256", key)
    .update(time + textOf(token), "utf8")
    .digest("hex");
  return secretsEqual(textOf(signature), expected);
}
