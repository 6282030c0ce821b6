/**
 * Webhook events of providers. Each format is detected by a field that no other has. Deliveries,
 * opens and clicks report no failure.
 */
import { type EventMeaning, meaningOf } from "./event-meaning.ts";
import { hasCode, readEvidence } from "./evidence.ts";
import {
  entriesOfReport,
  entryOfEvent,
  type IngestEntry,
  type PostedEvent,
} from "./ingest-entry.ts";
import { isObject, type JsonObject, objectOf, textOf } from "./json-values.ts";
import { readSesNotification } from "./ses-notification.ts";

/** Values of `type`, and events, that the provider itself retries. */
const DELAY = /defer|delay|warn|retry/i;
/** A value of `type` that is a reply code or an enhanced code. */
const CODE = /^[45](?:\d\d|\.\d{1,3}\.\d{1,3})$/;

/** Reads a posted object, of a known provider or a script. */
export function readPosted(item: JsonObject): IngestEntry[] {
  // Amazon SES; its SNS envelope is opened beforehand (services/bounces/open-sns-message.ts).
  if (typeof item["notificationType"] === "string" || typeof item["eventType"] === "string") {
    const report = readSesNotification(JSON.stringify(item));
    return report ? entriesOfReport(report) : [];
  }
  const { msys, RecordType: record, "event-data": event } = item;
  if (isObject(event)) return entryOfEvent(mailgunEvent(event));
  if (isObject(msys))
    return Object.values(msys).flatMap((value) => entryOfEvent(sparkPostEvent(objectOf(value))));
  return entryOfEvent(
    typeof record === "string" ? postmarkEvent(item, record) : genericEvent(item),
  );
}

/**
 * Reads an object with an `email`: from a script, or an event of SendGrid, Mailjet or Brevo.
 * `type`, else `event`, says what happened. Without either, the address alone reports a permanent
 * failure.
 */
function genericEvent(item: JsonObject): PostedEvent {
  const type = textOf(item["type"]).trim();
  const isCode = CODE.test(type);
  const reason = textOf(item["reason"]) || textOf(item["error"]);
  const words = [isCode ? type : "", textOf(item["status"]), reason].filter(Boolean).join(" ");
  const evidence = readEvidence(words);
  const bare = evidence && hasCode(evidence) ? "bounce" : "permanent";
  const name = isCode ? "bounce" : type || textOf(item["event"]).trim() || bare;
  return {
    email: item["email"],
    meaning: item["hard_bounce"] === false ? "soft" : meaningOf(name, reason),
    words,
    isDelay: DELAY.test(name),
    messageId: item["message_id"] ?? item["message-id"] ?? item["messageId"] ?? item["smtp-id"],
  };
}

/** Source: Mailgun, "Event structure". */
function mailgunEvent(event: JsonObject): PostedEvent {
  const status = objectOf(event["delivery-status"]);
  const message = textOf(status["message"]) || textOf(status["description"]);
  const code = Number(status["code"]);
  const codes = Number.isInteger(code) && code >= 400 ? { code } : {};
  const evidence = { ...readEvidence(message), ...codes };
  const severity = textOf(event["severity"]).trim().toLowerCase();
  const name = textOf(event["event"]).trim() || (hasCode(evidence) ? "failed" : severity);
  const meaning = meaningOf(name, "");
  return {
    email: event["recipient"],
    meaning: meaning === "failure" && severity === "permanent" ? "permanent" : meaning,
    words: message || textOf(event["reason"]),
    evidence,
    isDelay: severity === "temporary" || DELAY.test(name),
    messageId: objectOf(objectOf(event["message"])["headers"])["message-id"],
  };
}

/** Source: SendGrid, "Event Webhook Reference". */
const SENDGRID_EVENTS =
  /^(?:processed|dropped|delivered|deferred|bounce|open|click|spamreport|(?:group_)?unsubscribe|group_resubscribe)$/;

export const isSendgridEvent = (item: JsonObject): boolean =>
  SENDGRID_EVENTS.test(textOf(item["event"]));

/** Postmark bounce types that are about the address. Source: Postmark, "Bounce types". */
const POSTMARK_HARD = new Set(["HardBounce", "BadEmailAddress", "ManuallyDeactivated"]);

function postmarkEvent(item: JsonObject, record: string): PostedEvent {
  const type = textOf(item["Type"]);
  const isHard = record === "Bounce" && POSTMARK_HARD.has(type);
  const isComplaint = record === "SpamComplaint" || type === "SpamComplaint";
  return {
    email: item["Email"] ?? item["Recipient"],
    meaning: isComplaint ? "complaint" : isHard ? "failure" : "soft",
    words: textOf(item["Details"]) || textOf(item["Description"]),
  };
}

/** Bounce classes that are about the address. Source: SparkPost, "Bounce classification codes". */
const SPARKPOST_HARD = new Set(["10", "30"]);

function sparkPostEvent(event: JsonObject): PostedEvent {
  const type = textOf(event["type"]);
  return {
    email: event["rcpt_to"],
    meaning: meaningOfSparkPost(type, String(event["bounce_class"])),
    words: textOf(event["raw_reason"]) || textOf(event["reason"]),
    isDelay: type === "delay",
  };
}

function meaningOfSparkPost(type: string, bounceClass: string): EventMeaning | undefined {
  if (type === "spam_complaint") return "complaint";
  if (type === "delay") return "soft";
  if (type !== "bounce" && type !== "out_of_band") return undefined;
  return SPARKPOST_HARD.has(bounceClass) ? "failure" : "soft";
}
