/**
 * Complaints of recipients, forwarded by mailbox providers: ARF (RFC 5965).
 *
 * A hostile report may repeat a field without end. `readFields` bounds the fields, and the reader
 * stops after 100 recipients.
 */
import type { EmailAddress } from "../address.ts";
import { findAddresses } from "./find-addresses.ts";
import { fieldValue, readFields } from "./header-fields.ts";
import { MAX_RECIPIENTS } from "./report.ts";

/** Types that do not blame the mail: RFC 5965 section 7.3 (not-spam), RFC 6591 (auth-failure). */
export const NO_COMPLAINT = /^(?:not-spam|auth-failure|dmarc)/;

/** Content of a feedback report; `recipients` may be empty, because providers hide addresses. */
export type Feedback =
  | { kind: "complaint"; type: string; recipients: EmailAddress[] }
  | { kind: "no_complaint" };

/** Reads a message/feedback-report part. Source: RFC 5965 section 3. */
export function readFeedbackReport(text: string): Feedback {
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
  return { kind: "complaint", type, recipients: [...new Set(named)].slice(0, MAX_RECIPIENTS) };
}
