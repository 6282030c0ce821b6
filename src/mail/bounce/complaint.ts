/**
 * Complaints of recipients in several forms: ARF (RFC 5965), and reports without the ARF part, as
 * sent by Outlook.com, Apple Mail and older feedback loops.
 */
import type { EmailAddress } from "../address.ts";
import { type Feedback, readFeedbackReport } from "./feedback-report.ts";
import { findAddresses } from "./find-addresses.ts";
import { fieldValue, type HeaderFields } from "./header-fields.ts";
import type { OpenedMessage } from "./open-report.ts";

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
  recipients: [...new Set(recipients)],
});
