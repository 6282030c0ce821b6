/**
 * Webhook events of Postmark, SparkPost and Amazon SES. Each format is detected by a field that no
 * other has. Deliveries, opens and clicks report no failure.
 */
import { judgeEvidence, readEvidence } from "./evidence.ts";
import { entryOf, type IngestEntry, kindOfPermanent } from "./ingest-entry.ts";
import { isObject, type JsonObject, objectOf, textOf } from "./json-values.ts";
import { entriesOfReport } from "./report-entries.ts";
import { readSesNotification } from "./ses-notification.ts";

/** Reads an event of a known provider; undefined for any other object. */
export function readProviderEvent(item: JsonObject): IngestEntry[] | undefined {
  if (isObject(item["msys"])) return readSparkPost(item["msys"]);
  if (typeof item["RecordType"] === "string") return readPostmark(item, item["RecordType"]);
  if (isSes(item)) return readSes(item);
  return undefined;
}

/** Returns the kind and reason of a failure that the provider calls permanent. */
function permanent(words: string): Pick<IngestEntry, "kind" | "reason" | "cause"> {
  const evidence = readEvidence(words);
  const { reason: cause } = judgeEvidence(evidence ?? {});
  return { kind: kindOfPermanent(evidence), reason: words, cause };
}

function harmless(words: string): Pick<IngestEntry, "kind" | "reason" | "cause"> {
  return {
    kind: "harmless",
    reason: words,
    cause: judgeEvidence(readEvidence(words) ?? {}).reason,
  };
}

/** Returns a failure that the provider retries. */
const delay = (words: string) => ({ ...harmless(words), isDelay: true as const });

const complaint = { kind: "complaint", reason: "complaint", cause: "unknown" } as const;

/** Source: SendGrid, "Event Webhook Reference". */
const SENDGRID_EVENTS = new Set([
  "processed",
  "dropped",
  "delivered",
  "deferred",
  "bounce",
  "open",
  "click",
  "spamreport",
  "unsubscribe",
  "group_unsubscribe",
  "group_resubscribe",
]);

export const isSendgridEvent = (item: JsonObject): boolean =>
  SENDGRID_EVENTS.has(textOf(item["event"]));

/** Postmark bounce types that are about the address. Source: Postmark, "Bounce types". */
const POSTMARK_HARD = new Set(["HardBounce", "BadEmailAddress", "ManuallyDeactivated"]);

function readPostmark(item: JsonObject, record: string): IngestEntry[] {
  const email = item["Email"] ?? item["Recipient"];
  const words = textOf(item["Details"]) || textOf(item["Description"]);
  const type = textOf(item["Type"]);
  const isComplaint = record === "SpamComplaint" || type === "SpamComplaint";
  if (isComplaint) return entryOf(email, complaint, undefined);
  const isHard = record === "Bounce" && POSTMARK_HARD.has(type);
  return entryOf(email, isHard ? permanent(words) : harmless(words), undefined);
}

/** Bounce classes that are about the address. Source: SparkPost, "Bounce classification codes". */
const SPARKPOST_HARD = new Set(["10", "30"]);

function readSparkPost(msys: JsonObject): IngestEntry[] {
  return Object.values(msys).flatMap((value) => {
    const event = objectOf(value);
    const words = textOf(event["raw_reason"]) || textOf(event["reason"]);
    const said = saidBySparkPost(textOf(event["type"]), String(event["bounce_class"]), words);
    return entryOf(event["rcpt_to"], said, undefined);
  });
}

function saidBySparkPost(type: string, bounceClass: string, words: string) {
  if (type === "spam_complaint") return complaint;
  const isBounce = type === "bounce" || type === "out_of_band";
  if (isBounce && SPARKPOST_HARD.has(bounceClass)) return permanent(words);
  return type === "delay" ? delay(words) : harmless(isBounce ? words : "");
}

/** Amazon SES; its SNS envelope is opened beforehand (services/bounces/open-sns-message.ts). */
const isSes = (item: JsonObject) =>
  typeof item["notificationType"] === "string" || typeof item["eventType"] === "string";

function readSes(item: JsonObject): IngestEntry[] {
  const report = readSesNotification(JSON.stringify(item));
  return report ? entriesOfReport(report) : [];
}
