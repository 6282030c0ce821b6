/**
 * Events of Postmark, SparkPost and Amazon SES, as their webhooks post them. Each shape is
 * recognised by a field that no other has. Events of deliveries and visits report no failure.
 */
import { judgeEvidence, readEvidence } from "./evidence.ts";
import { entryOf, type IngestEntry, kindOfPermanent } from "./ingest-entry.ts";
import { isObject, type JsonObject, objectOf, textOf } from "./json-values.ts";
import { entriesOfReport } from "./report-entries.ts";
import { readSesNotification } from "./ses-notification.ts";

/** Reads an event of a known provider; undefined when the object has another shape. */
export function readProviderEvent(item: JsonObject): IngestEntry[] | undefined {
  if (isObject(item["msys"])) return readSparkPost(item["msys"]);
  if (typeof item["RecordType"] === "string") return readPostmark(item, item["RecordType"]);
  if (isSes(item)) return readSes(item);
  return undefined;
}

/** Returns the kind and the reason of a failure that the provider calls permanent. */
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

/** Returns the facts of a failure after which the provider tries again. */
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

/** Returns true for an object with an event of SendGrid. */
export const isSendgridEvent = (item: JsonObject): boolean =>
  SENDGRID_EVENTS.has(textOf(item["event"]));

/** Types of a Postmark bounce that are about the address. Source: Postmark, "Bounce types". */
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

/**
 * Classes of bounces that are about the address. Source: SparkPost, "Bounce classification codes".
 */
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

/** Amazon SES, whose envelope of SNS is opened before (services/bounces/open-sns-message.ts). */
const isSes = (item: JsonObject) =>
  typeof item["notificationType"] === "string" || typeof item["eventType"] === "string";

function readSes(item: JsonObject): IngestEntry[] {
  const report = readSesNotification(JSON.stringify(item));
  return report ? entriesOfReport(report) : [];
}
