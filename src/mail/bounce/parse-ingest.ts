/**
 * Bounces that a mail provider or a script posts, in the formats of API reference §14.4.
 *
 * Anyone with the token may post any JSON. The route has verified the token and limits the body to
 * 64 KiB, which bounds all the work here.
 */
import { hasCode, judgeEvidence, readEvidence } from "./evidence.ts";
import { wordOf } from "./event-words.ts";
import { entryOf, type IngestEntry, kindOfFailure } from "./ingest-entry.ts";
import { isObject, type JsonObject, objectOf, textOf } from "./json-values.ts";
import { readProviderEvent } from "./provider-events.ts";

/** Result of `parseIngest`; `ok` is false if no format yields an address. */
export type IngestResult = { ok: true; entries: IngestEntry[] } | { ok: false };

/** Values of `type`, and events, that the provider itself retries. */
const DELAY = /defer|delay|warn|retry/i;
/** A value of `type` that is a reply code or an enhanced code. */
const CODE = /^[45](?:\d\d|\.\d{1,3}\.\d{1,3})$/;

/**
 * Parses a posted body: a generic object, an array of them, or events of a provider. Entries
 * without a valid address are dropped. Source: API reference §14.4.
 */
export function parseIngest(text: string): IngestResult {
  const entries = readJson(text);
  return entries.length > 0 ? { ok: true, entries } : { ok: false };
}

function readJson(text: string): IngestEntry[] {
  const body = parseJson(text);
  const items = Array.isArray(body) ? body : [body];
  return items.flatMap((item) => (isObject(item) ? readItem(item) : []));
}

/** Parses JSON; returns undefined, which yields no address, for any other text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readItem(item: JsonObject): IngestEntry[] {
  const event = item["event-data"];
  return isObject(event) ? readEvent(event) : (readProviderEvent(item) ?? readGeneric(item));
}

/**
 * Reads an object with an `email`: from a script, or an event of SendGrid, Mailjet or Brevo.
 * `type`, else `event`, says what happened. Without either, the address alone reports a permanent
 * failure.
 */
function readGeneric(item: JsonObject): IngestEntry[] {
  const type = textOf(item["type"]).trim();
  const isCode = CODE.test(type);
  const reason = textOf(item["reason"]) || textOf(item["error"]);
  const words = [isCode ? type : "", textOf(item["status"]), reason].filter(Boolean).join(" ");
  const evidence = readEvidence(words);
  const event = textOf(item["event"]).trim();
  const bare = evidence && hasCode(evidence) ? "bounce" : "permanent";
  const name = isCode ? "bounce" : type || event || bare;
  const meaning = item["hard_bounce"] === false ? "soft" : wordOf(name, reason);
  const messageId =
    item["message_id"] ?? item["message-id"] ?? item["messageId"] ?? item["smtp-id"];
  return entryOf(
    item["email"],
    {
      kind: kindOfFailure(meaning, evidence),
      reason: words,
      cause: meaning ? judgeEvidence(evidence ?? {}).reason : "unknown",
      ...(DELAY.test(name) ? { isDelay: true } : {}),
    },
    messageId,
  );
}

function readEvent(event: JsonObject): IngestEntry[] {
  const status = objectOf(event["delivery-status"]);
  const message = textOf(status["message"]) || textOf(status["description"]);
  const headers = objectOf(objectOf(event["message"])["headers"]);
  const code = Number(status["code"]);
  const codes = Number.isInteger(code) && code >= 400 ? { code } : {};
  const evidence = { ...readEvidence(message), ...codes };
  const severity = textOf(event["severity"]).trim().toLowerCase();
  const name = textOf(event["event"]).trim() || (hasCode(evidence) ? "failed" : severity);
  const isDelay = severity === "temporary" || DELAY.test(name);
  const word = wordOf(name, "");
  const isPermanent = word === "failure" && severity === "permanent";
  return entryOf(
    event["recipient"],
    {
      kind: kindOfFailure(isDelay ? undefined : isPermanent ? "permanent" : word, evidence),
      reason: message || textOf(event["reason"]),
      cause: word ? judgeEvidence(evidence).reason : "unknown",
      ...(isDelay ? { isDelay } : {}),
    },
    headers["message-id"],
  );
}
