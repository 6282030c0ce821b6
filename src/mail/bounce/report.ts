import type { EmailAddress } from "../address.ts";
import type { RefusalClass } from "./classify-refusal.ts";

/** Most recipients one report may name; a report about more is about a mailing list. */
export const MAX_RECIPIENTS = 100;
/** Longest diagnostic kept, in UTF-16 units. */
const MAX_DIAGNOSTIC_LENGTH = 200;

/**
 * One recipient a report is about. `verdict` is what the failure means for the address, see
 * `classifyRefusal`; in a complaint it is `not_address`, since the address works. `diagnostic` is
 * one line of at most 200 characters, "" when the report gives no reason.
 */
export interface BouncedRecipient {
  email: EmailAddress;
  verdict: RefusalClass;
  diagnostic: string;
}

/**
 * What a message in the bounce mailbox is. `bounce`: a delivery report of failure or delay;
 * `complaint`: a recipient called the mail unwanted; `other`: neither, with nothing in it.
 * `recipients`: at most 100. `messageIds`: ids of the original mail without angle brackets, best
 * first, at most 5.
 */
export interface BounceReport {
  kind: "bounce" | "complaint" | "other";
  recipients: BouncedRecipient[];
  messageIds: string[];
}

/** Makes text one line of printable characters, cut at 200. */
export function toDiagnostic(text: string): string {
  return text
    .slice(0, MAX_DIAGNOSTIC_LENGTH * 4)
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, MAX_DIAGNOSTIC_LENGTH)
    .toWellFormed();
}
