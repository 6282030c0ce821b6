import { type EmailAddress, parseMailbox } from "../address.ts";
import { type Evidence, judgeEvidence } from "./evidence.ts";
import type { EventMeaning } from "./event-words.ts";
import { textOf } from "./json-values.ts";
import { classOf, type RefusalReason } from "./reasons.ts";
import { toDiagnostic } from "./report.ts";

const MAX_MESSAGE_ID_LENGTH = 250;

/**
 * One address of a posted body.
 * - `kind`: `bounce` if mail to it can never arrive, `refusal` if a mail was permanently rejected
 *   for a reason other than the address, `complaint` if its owner complained about a mail,
 *   `opt_out` if its owner unsubscribed, `harmless` otherwise.
 * - `reason`: one line of at most 200 characters, "" if the body gives none.
 * - `messageId`: without angle brackets.
 */
export interface IngestEntry {
  email: EmailAddress;
  kind: "bounce" | "refusal" | "complaint" | "opt_out" | "harmless";
  reason: string;
  /** The reason derived from words and codes (API reference §11.7). */
  cause: RefusalReason;
  messageId: string | undefined;
  /** Set for a failure that the provider retries, so the mail may still arrive. */
  isDelay?: true;
}

/**
 * Classifies a failure that its sender calls permanent. Words and codes about something other than
 * the address make it a refusal, unless the words are so general that they fit any failure.
 */
export function kindOfPermanent(evidence: Evidence | undefined): "bounce" | "refusal" {
  const { reason } = judgeEvidence(clearOf(evidence));
  return reason === "unknown" || classOf(reason) === "bad_address" ? "bounce" : "refusal";
}

/** Returns the kind of an event with this meaning; its words and codes may count. */
export function kindOfFailure(
  meaning: EventMeaning | undefined,
  evidence: Evidence | undefined,
): IngestEntry["kind"] {
  switch (meaning) {
    case "permanent":
      return "bounce";
    case "failure":
      return judgeEvidence(clearOf(evidence)).verdict === "temporary"
        ? "harmless"
        : kindOfPermanent(evidence);
    case "soft":
    case undefined:
      return "harmless";
    default:
      return meaning;
  }
}

/** Drops words that fit any failure, such as "rejected". */
function clearOf({ said, ...codes }: Evidence = {}): Evidence {
  return said && !said.isWeak ? { ...codes, said } : codes;
}

/** Returns the entry of an address as a list, which is empty if the address is invalid. */
export function entryOf(
  email: unknown,
  { kind, reason, cause, isDelay }: Pick<IngestEntry, "kind" | "reason" | "cause" | "isDelay">,
  messageId: unknown,
): IngestEntry[] {
  const parsed = parseMailbox(textOf(email));
  if (!parsed.ok) return [];
  const id = textOf(messageId).trim().replace(/^<|>$/g, "");
  const isUsable = /^[^\s<>]+$/.test(id) && id.length <= MAX_MESSAGE_ID_LENGTH;
  return [
    {
      email: parsed.mailbox.address,
      kind,
      reason: toDiagnostic(reason),
      cause,
      messageId: isUsable ? id : undefined,
      ...(isDelay ? { isDelay } : {}),
    },
  ];
}
