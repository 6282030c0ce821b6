/**
 * Complaints of recipients in several forms: ARF (RFC 5965), and reports without the ARF part, as
 * sent by Outlook.com, Apple Mail and older feedback loops.
 *
 * A hostile report may repeat a field without end. `readFields` bounds the fields, and the reader
 * stops after 100 recipients.
 */
import type { EmailAddress } from "../address.ts";
import { findAddresses } from "./find-addresses.ts";
import { fieldValue, type HeaderFields, readFields } from "./header-fields.ts";
import type { OpenedMessage } from "./open-report.ts";
import { MAX_RECIPIENTS } from "./report.ts";

/** Types that do not blame the mail: RFC 5965 section 7.3 (not-spam), RFC 6591 (auth-failure). */
export const NO_COMPLAINT = /^(?:not-spam|auth-failure|dmarc)/;

/** Content of a feedback report; `recipients` may be empty, because providers hide addresses. */
export type Feedback =
  | { kind: "complaint"; type: string; recipients: EmailAddress[] }
  | { kind: "no_complaint" };

/** The text of a feedback loop, even without its machine-readable part. */
const ABUSE_REPORT = /\bthis is an? e-?mail abuse report for an e-?mail (?:message )?/i;
const OUTLOOK_SUBJECT = /^\s*complaint about message from\b/i;

/**
 * Reads the complaint in a message; undefined for any other message. Recipients may be missing,
 * because providers hide them.
 */
export function readComplaintOf(
  message: OpenedMessage,
  originals: readonly HeaderFields[],
): Feedback | undefined {
  const [part] = message.feedbackReports;
  if (part !== undefined) return readFeedbackReport(part);
  return readAppleUnsubscribe(message) ?? readOutlook(message, originals) ?? readText(message);
}

/** Reads a message/feedback-report part. Source: RFC 5965 section 3. */
function readFeedbackReport(text: string): Feedback {
  const lines = text.split("\n");
  const fields = readFields(
    lines,
    lines.findIndex((line) => line.trim() !== ""),
  );
  const type = fieldValue(fields, "feedback-type").trim().toLowerCase();
  if (type === "" || NO_COMPLAINT.test(type)) return { kind: "no_complaint" };
  const named = [
    ...(fields.get("original-rcpt-to") ?? []),
    ...(fields.get("removal-recipient") ?? []),
  ].flatMap(findAddresses);
  return complaint(type, named);
}

/** Apple Mail writes to the List-Unsubscribe address in its user's name. */
function readAppleUnsubscribe({ headers }: OpenedMessage): Feedback | undefined {
  if (fieldValue(headers, "x-apple-unsubscribe").trim().toLowerCase() !== "true") return undefined;
  return complaint("opt-out", findAddresses(fieldValue(headers, "from")));
}

/**
 * Outlook.com's Junk Mail Reporting Program attaches the original mail, which names its recipient.
 */
function readOutlook(
  { headers, originals: parts }: OpenedMessage,
  originals: readonly HeaderFields[],
): Feedback | undefined {
  if (parts.length === 0 || !OUTLOOK_SUBJECT.test(fieldValue(headers, "subject"))) return undefined;
  const named = originals.flatMap((fields) => [
    ...findAddresses(fieldValue(fields, "x-hmxmroriginalrecipient")),
    ...findAddresses(fieldValue(fields, "x-hmxmrorig-rcpt-to")),
  ]);
  return complaint("abuse", named);
}

function readText({ text, originals }: OpenedMessage): Feedback | undefined {
  return originals.length > 0 && ABUSE_REPORT.test(text) ? complaint("abuse", []) : undefined;
}

const complaint = (type: string, recipients: EmailAddress[]): Feedback => ({
  kind: "complaint",
  type,
  recipients: [...new Set(recipients)].slice(0, MAX_RECIPIENTS),
});
