import { cutText } from "../../lib/cut-text.ts";
import type { EmailAddress } from "../address.ts";
import type { Verdict } from "./classify-refusal.ts";
import type { RefusalClass, RefusalReason } from "./reasons.ts";

/** Maximum recipients per report; a report about more concerns a mailing list. */
export const MAX_RECIPIENTS = 100;
/** Maximum length of a diagnostic, in UTF-16 units. */
const MAX_DIAGNOSTIC_LENGTH = 200;

/**
 * One recipient of a report.
 * - `verdict`: the consequence for the address, see `classifyRefusal`. In a complaint it is
 *   `not_address`, because the address works, and `reason` is `unknown`.
 * - `because`: the wording that decided, if any.
 * - `diagnostic`: one line of at most 200 characters, "" if the report gives no reason.
 */
export interface BouncedRecipient {
  email: EmailAddress;
  verdict: RefusalClass;
  reason: RefusalReason;
  diagnostic: string;
  because?: Verdict["because"];
  /** The kind of the failure if a credible provider calls it permanent. */
  permanentKind?: "bounce" | "refusal";
  /**
   * Set if the report is only a warning: its system keeps trying, and the mail may still arrive.
   */
  isDelay?: true;
}

/**
 * The meaning of a message in the bounce mailbox.
 * - `bounce`: a delivery report of a failure or delay.
 * - `complaint`: a recipient reported the mail as unwanted.
 * - `other`: neither. It has no recipients, or those of a notice that does not blame the mail.
 * - `recipients`: at most 100.
 * - `messageIds`: at most 5 ids of the original mail without angle brackets, best first.
 */
export interface BounceReport {
  kind: "bounce" | "complaint" | "other";
  recipients: BouncedRecipient[];
  messageIds: string[];
}

/** Reduces text to one line of printable characters, truncated at 200. */
export function toDiagnostic(text: string): string {
  const start = text.slice(0, MAX_DIAGNOSTIC_LENGTH * 4);
  return cutText(start.replace(/[\p{C}\p{Z}]+/gu, " ").trim(), MAX_DIAGNOSTIC_LENGTH);
}
