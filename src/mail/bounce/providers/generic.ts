import { DELAY, meaningOf } from "../event-meaning.ts";
import { hasCode, readEvidence } from "../evidence.ts";
import { entryOfEvent, type IngestEntry } from "../ingest-entry.ts";
import { type JsonObject, textOf } from "../json-values.ts";

/** A value of `type` that is a reply code or an enhanced code. */
const CODE = /^[45](?:\d\d|\.\d{1,3}\.\d{1,3})$/;

/**
 * Reads an object with an `email`: from a script, or an event of SendGrid, Mailjet or Brevo.
 * `type`, else `event`, says what happened. Without either, the address alone reports a permanent
 * failure.
 */
export function readGeneric(item: JsonObject): IngestEntry[] {
  const type = textOf(item["type"]).trim();
  const isCode = CODE.test(type);
  const reason = textOf(item["reason"]) || textOf(item["error"]);
  const words = [isCode ? type : "", textOf(item["status"]), reason].filter(Boolean).join(" ");
  const evidence = readEvidence(words);
  const bare = evidence && hasCode(evidence) ? "bounce" : "permanent";
  const name = isCode ? "bounce" : type || textOf(item["event"]).trim() || bare;
  return entryOfEvent({
    email: item["email"],
    meaning: item["hard_bounce"] === false ? "soft" : meaningOf(name, reason),
    words,
    isDelay: DELAY.test(name),
    messageId: item["message_id"] ?? item["message-id"] ?? item["messageId"] ?? item["smtp-id"],
  });
}
