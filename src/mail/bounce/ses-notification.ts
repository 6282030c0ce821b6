/**
 * Notifications of Amazon SES that SNS sends by email: JSON in the text, sometimes wrapped in the
 * SNS envelope, and folded at 990 characters.
 *
 * The mail is untrusted. The text is at most 64 KiB, and the reader stops after 100 recipients.
 */
import type { EmailAddress } from "../address.ts";
import { judgeEvidence, readEvidence } from "./evidence.ts";
import { NO_COMPLAINT } from "./complaint.ts";
import { findAllAddresses } from "./find-addresses.ts";
import { kindOfPermanent } from "./ingest-entry.ts";
import { arrayOf, isObject, type JsonObject, objectOf, textOf } from "./json-values.ts";
import { findMessageIds } from "./quoted-original.ts";
import {
  type BouncedRecipient,
  type BounceReport,
  MAX_RECIPIENTS,
  toDiagnostic,
} from "./report.ts";

/** Reads the notification in a text; undefined if there is none about a bounce or complaint. */
export function readSesNotification(text: string): BounceReport | undefined {
  const outer = parseFolded(text);
  const inner =
    outer && typeof outer["Message"] === "string" ? parseFolded(outer["Message"]) : outer;
  const type = textOf(inner?.["notificationType"] ?? inner?.["eventType"]);
  if (!inner || (type !== "Bounce" && type !== "Complaint")) return undefined;
  const { kind, recipients } =
    type === "Bounce" ? readBounce(inner["bounce"]) : readComplaint(inner["complaint"]);
  if (recipients.length === 0) return undefined;
  return {
    kind,
    recipients: recipients.slice(0, MAX_RECIPIENTS),
    messageIds: messageIdsOf(objectOf(inner["mail"])),
  };
}

type Read = Pick<BounceReport, "kind" | "recipients">;

function readBounce(value: unknown): Read {
  const bounce = objectOf(value);
  const type = textOf(bounce["bounceType"]);
  const recipients = arrayOf(bounce["bouncedRecipients"]);
  return { kind: "bounce", recipients: recipients.flatMap((one) => readBounced(one, type)) };
}

/** Reads a complaint. As in reports by email, some types do not blame the mail. */
function readComplaint(value: unknown): Read {
  const complaint = objectOf(value);
  const type = textOf(complaint["complaintFeedbackType"]).trim().toLowerCase();
  const recipients = arrayOf(complaint["complainedRecipients"]).flatMap(readComplained);
  return { kind: NO_COMPLAINT.test(type) ? "other" : "complaint", recipients };
}

function readBounced(value: unknown, bounceType: string): BouncedRecipient[] {
  const { emailAddress, status, diagnosticCode } = objectOf(value);
  const [email] = addressesOf(emailAddress);
  if (email === undefined) return [];
  const diagnostic = textOf(diagnosticCode).replace(/^\s*[\w-]{1,40}\s*;\s*/, "");
  const evidence = { ...readEvidence(textOf(status)), ...readEvidence(diagnostic) };
  const judged = judgeEvidence(evidence);
  return [
    {
      email,
      ...judged,
      verdict: bounceType === "Transient" ? "temporary" : judged.verdict,
      ...(bounceType === "Permanent" ? { permanentKind: kindOfPermanent(evidence) } : {}),
      diagnostic: toDiagnostic(diagnostic || textOf(status)),
    },
  ];
}

const readComplained = (value: unknown): BouncedRecipient[] =>
  addressesOf(objectOf(value)["emailAddress"]).map((email) => ({
    email,
    verdict: "not_address",
    reason: "unknown",
    diagnostic: "complaint",
  }));

/** Reads an address as `user@host` or `Name <user@host>`. */
const addressesOf = (value: unknown): EmailAddress[] => findAllAddresses(textOf(value)).slice(0, 1);

function messageIdsOf(mail: JsonObject): string[] {
  const ours = textOf(objectOf(mail["commonHeaders"])["messageId"]);
  return ours === "" ? [] : findMessageIds(ours);
}

/** Parses the first JSON object of a text after unfolding long lines. */
function parseFolded(text: string): JsonObject | undefined {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start === -1 || end < start) return undefined;
  try {
    const parsed: unknown = JSON.parse(text.slice(start, end + 1).replace(/!?\r?\n ?/g, ""));
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined; // the text is no notification
  }
}
