import { type EmailAddress, parseMailbox } from "../address.ts";
import { type Evidence, judgeEvidence } from "./evidence.ts";
import type { EventMeaning } from "./event-words.ts";
import { textOf } from "./json-values.ts";
import { classOf, type RefusalReason } from "./reasons.ts";
import { toDiagnostic } from "./report.ts";

const MAX_MESSAGE_ID_LENGTH = 250;

/**
 * One address of a posted body.
 * - `kind`: `bounce` when mail to it can never arrive, `refusal` when a mail was refused for good for
 *   another reason than the address, `complaint` when its owner did not want a mail, `opt_out` when
 *   its owner wants no more, `harmless` otherwise.
 * - `reason`: one line of at most 200 characters, "" when the body gives none.
 * - `messageId`: without angle brackets.
 */
export interface IngestEntry {
  email: EmailAddress;
  kind: "bounce" | "refusal" | "complaint" | "opt_out" | "harmless";
  reason: string;
  /** The reason that the words and codes give (API reference §11.7). */
  cause: RefusalReason;
  messageId: string | undefined;
  /** Set for a failure after which the provider tries again, so the mail may still arrive. */
  isDelay?: true;
}

/**
 * Judges a failure that its sender calls permanent. Words and codes about something else than the
 * address make it a refusal; words so general that they fit any failure do not.
 */
export function kindOfPermanent(evidence: Evidence | undefined): "bounce" | "refusal" {
  const { reason } = judgeEvidence(clearOf(evidence));
  return reason === "unknown" || classOf(reason) === "bad_address" ? "bounce" : "refusal";
}

/** Returns the kind of an event with this meaning, for which its words and codes may count. */
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

/** Returns the entry of an address as a list, which is empty without a valid one. */
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
