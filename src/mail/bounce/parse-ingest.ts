/**
 * Bounces that a mail provider or a script posts, in the shapes of API reference §14.4.
 *
 * Whoever holds the token may post any JSON. The route has checked the token and limits the body to
 * 64 KiB, which bounds all the work here.
 */
import { type Evidence, judgeEvidence, readEvidence } from "./evidence.ts";
import { isObject, type JsonObject, objectOf, textOf } from "./json-values.ts";
import { entryOf, type IngestEntry, kindOfPermanent, withoutWords } from "./ingest-entry.ts";
import { readProviderEvent } from "./provider-events.ts";

/** Result of `parseIngest`; `ok: false` when neither shape yields an address. */
export type IngestResult = { ok: true; entries: IngestEntry[] } | { ok: false };

/** Values of `type` in the generic shape after which another try may succeed. */
const TEMPORARY_TYPE = /temp|transient|soft|defer|delay|warn|retry|4\.\d|^4\d\d$/i;
/** Values of `type`, and events, after which the provider itself tries again. */
const DELAY = /defer|delay|warn|retry/i;
/** Provider events that report unaccepted mail, used when nothing else in the event decides. */
const FAILURE_EVENT =
  /^(?:failed|failure|bounced?|rejected|dropped|permanent[ _-]?fail(?:ed|ure)?)$/i;
/** Events, and values of `type`, that report no permanent failure, whatever else is said. */
const NO_FAILURE = new RegExp(
  `^(?:${[
    "accepted|delivered|delivery|sent|send|request(?:ed)?|processed|queued|stored",
    "(?:(?:unique|first|proxy|machine)[ _-]?)*(?:open(?:ed)?|click(?:ed)?)|loaded[ _-]?by[ _-]?proxy",
    "(?:list[ _-]?)?(?:un|re)?subscribed?",
    "deferred|delayed|temporary[ _-]?fail(?:ed|ure)?|soft[ _-]?bounced?",
  ].join("|")})$`,
  "i",
);
/** Events and values of `type` that report unwanted mail. */
const COMPLAINT = /^(?:spam[ _-]?)?complain(?:t|ed)$/i;

/**
 * Parses the text of a posted body: a generic object, an array of them, or events of a provider. It
 * leaves out entries without a valid address. Source: API reference §14.4.
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

/** Parses JSON; returns undefined, which holds no address, for any other text. */
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

function readGeneric(item: JsonObject): IngestEntry[] {
  const reason = textOf(item["reason"]);
  const type = textOf(item["type"]).trim();
  const event = textOf(item["event"]).trim();
  const messageId = item["message_id"] ?? item["message-id"] ?? item["messageId"];
  const { reason: cause } = judgeEvidence(readEvidence(reason) ?? {});
  const delay = DELAY.test(type) || DELAY.test(event) ? { isDelay: true as const } : {};
  const said = { kind: kindOfType(type, event, reason), reason, cause, ...delay };
  return entryOf(item["email"], said, messageId);
}

/** Judges a failure by its type. The name of an event can only exclude a failure, as in an event. */
function kindOfType(type: string, event: string, reason: string): IngestEntry["kind"] {
  if (COMPLAINT.test(type) || COMPLAINT.test(event)) return "complaint";
  if (NO_FAILURE.test(type) || NO_FAILURE.test(event)) return "harmless";
  const evidence = readEvidence(reason);
  const isTemporary =
    type === ""
      ? judgeEvidence(withoutWords(evidence)).verdict === "temporary"
      : TEMPORARY_TYPE.test(type);
  return isTemporary ? "harmless" : kindOfPermanent(evidence);
}

function readEvent(event: JsonObject): IngestEntry[] {
  const status = objectOf(event["delivery-status"]);
  const message = textOf(status["message"]) || textOf(status["description"]);
  const headers = objectOf(objectOf(event["message"])["headers"]);
  const reason = message || textOf(event["reason"]);
  const evidence = evidenceOf(status["code"], message);
  const cause = judgeEvidence(evidence ?? {}).reason;
  const delay = isDelayEvent(event) ? { isDelay: true as const } : {};
  const said = { kind: kindOfEvent(event, evidence), reason, cause, ...delay };
  return entryOf(event["recipient"], said, headers["message-id"]);
}

/** Returns true for a failure that is not the last one: a temporary severity says so, or the name. */
const isDelayEvent = ({ event, severity }: JsonObject) =>
  textOf(severity).trim().toLowerCase() === "temporary" || DELAY.test(textOf(event));

/**
 * Judges an event by its severity, which outranks the code (decision D42), and without a severity
 * by its code and message. Providers name failures in many ways, so the event name can only exclude
 * a failure; it decides when the event says nothing else.
 */
function kindOfEvent(
  { event, severity }: JsonObject,
  evidence: Evidence | undefined,
): IngestEntry["kind"] {
  const name = textOf(event).trim();
  if (COMPLAINT.test(name)) return "complaint";
  if (NO_FAILURE.test(name)) return "harmless";
  switch (textOf(severity).trim().toLowerCase()) {
    case "permanent":
      return kindOfPermanent(evidence);
    case "temporary":
      return "harmless";
    default:
      if (!evidence) return FAILURE_EVENT.test(name) ? "bounce" : "harmless";
      return kindOfEvidence(evidence);
  }
}

/** Judges a failure by its codes and words alone. */
function kindOfEvidence(evidence: Evidence): IngestEntry["kind"] {
  const { verdict } = judgeEvidence(evidence);
  if (verdict === "bad_address") return "bounce";
  return verdict === "not_address" && (evidence.code ?? 0) >= 500 ? "refusal" : "harmless";
}

/** Reads the failure of an event; undefined without a code or known words. */
function evidenceOf(code: unknown, message: string): Evidence | undefined {
  const number = Number(code);
  const codes = Number.isInteger(number) && number >= 400 ? { code: number } : {};
  if (message.trim() !== "" || codes.code === undefined) {
    const evidence = { ...readEvidence(message), ...codes };
    return Object.keys(evidence).length > 0 ? evidence : undefined;
  }
  return { ...codes, phase: "recipient" }; // the code is all that the event says
}
