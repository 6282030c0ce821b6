import { cutText } from "../../lib/cut-text.ts";
import type { EmailAddress } from "../address.ts";
import type { Verdict } from "./classify-refusal.ts";
import type { RefusalClass, RefusalReason } from "./reasons.ts";

/** Most recipients of one report; a report about more concerns a mailing list. */
export const MAX_RECIPIENTS = 100;
/** Longest diagnostic kept, in UTF-16 units. */
const MAX_DIAGNOSTIC_LENGTH = 200;

/**
 * One recipient of a report.
 * - `verdict`: the consequence of the failure for the address, see `classifyRefusal`. In a
 *   complaint it is `not_address`, since the address works, and `reason` is `unknown`.
 * - `because`: the wording that decided, when one did.
 * - `diagnostic`: one line of at most 200 characters, "" when the report gives no reason.
 */
export interface BouncedRecipient {
  email: EmailAddress;
  verdict: RefusalClass;
  reason: RefusalReason;
  diagnostic: string;
  because?: Verdict["because"];
  /** The kind of the failure if a provider calls it permanent and is credible. */
  permanentKind?: "bounce" | "refusal";
  /** Set if the report only warns: its system goes on trying, and the mail may still arrive. */
  isDelay?: true;
}

/**
 * The meaning of a message in the bounce mailbox.
 * - `bounce`: a delivery report of a failure or delay.
 * - `complaint`: a recipient called the mail unwanted.
 * - `other`: neither. It names nobody, or those of a notice that blames no mail.
 * - `recipients`: at most 100.
 * - `messageIds`: at most 5 ids of the original mail without angle brackets, best first.
 */
export interface BounceReport {
  kind: "bounce" | "complaint" | "other";
  recipients: BouncedRecipient[];
  messageIds: string[];
}

/** Turns text into one line of printable characters, cut at 200. */
export function toDiagnostic(text: string): string {
  const start = text.slice(0, MAX_DIAGNOSTIC_LENGTH * 4);
  return cutText(start.replace(/[\p{C}\p{Z}]+/gu, " ").trim(), MAX_DIAGNOSTIC_LENGTH);
}
