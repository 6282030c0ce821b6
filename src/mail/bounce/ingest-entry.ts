import { type EmailAddress, parseMailbox } from "../address.ts";
import { type Evidence, judgeEvidence, readEvidence } from "./evidence.ts";
import type { EventMeaning } from "./event-meaning.ts";
import { textOf } from "./json-values.ts";
import { classOf, type RefusalReason } from "./reasons.ts";
import { type BouncedRecipient, type BounceReport, toDiagnostic } from "./report.ts";

const MAX_MESSAGE_ID_LENGTH = 250;

/**
 * One address of a report.
 * - `kind`: `bounce` if mail to it can never arrive, `refusal` if a mail was permanently rejected
 *   for a reason other than the address, `complaint` if its owner complained about a mail,
 *   `opt_out` if its owner unsubscribed, `harmless` otherwise.
 * - `reason`: one line of at most 200 characters, "" if the report gives none.
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

/** An event as its provider posts it; `meaning` is undefined if it is not about an address. */
export interface PostedEvent {
  email: unknown;
  meaning: EventMeaning | undefined;
  /** The text of the server or provider. */
  words: string;
  /** Its codes and words, if they are not those of the text alone. */
  evidence?: Evidence | undefined;
  isDelay?: boolean;
  messageId?: unknown;
}

/** Returns the entry of an event as a list, which is empty if its address is invalid. */
export function entryOfEvent(event: PostedEvent): IngestEntry[] {
  const { email, meaning, words, evidence = readEvidence(words), isDelay, messageId } = event;
  return entryOf(textOf(email), {
    kind: kindOfEvent(isDelay ? undefined : meaning, evidence),
    reason: words,
    cause: meaning ? judgeEvidence(evidence ?? {}).reason : "unknown",
    messageId: textOf(messageId),
    isDelay: isDelay === true,
  });
}

/** Returns the entries of a report. */
export function entriesOfReport({ kind, recipients, messageIds }: BounceReport): IngestEntry[] {
  return recipients.flatMap((recipient) => {
    const { email, reason: cause, diagnostic: reason, isDelay = false } = recipient;
    const messageId = messageIds[0] ?? "";
    return entryOf(email, { kind: kindOf(kind, recipient), reason, cause, messageId, isDelay });
  });
}

function entryOf(
  email: string,
  said: Pick<IngestEntry, "kind" | "reason" | "cause"> & { messageId: string; isDelay: boolean },
): IngestEntry[] {
  const parsed = parseMailbox(email);
  if (!parsed.ok) return [];
  const { kind, reason, cause, isDelay } = said;
  const id = said.messageId.trim().replace(/^<|>$/g, "");
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

function kindOf(kind: BounceReport["kind"], recipient: BouncedRecipient): IngestEntry["kind"] {
  if (kind !== "bounce") return kind === "complaint" ? kind : "harmless";
  const { verdict, permanentKind } = recipient;
  if (permanentKind) return permanentKind;
  if (verdict === "bad_address") return "bounce";
  return verdict === "not_address" ? "refusal" : "harmless";
}

function kindOfEvent(
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

/**
 * Classifies a failure that its sender calls permanent. Words and codes about something other than
 * the address make it a refusal, unless the words are so general that they fit any failure.
 */
export function kindOfPermanent(evidence: Evidence | undefined): "bounce" | "refusal" {
  const { reason } = judgeEvidence(clearOf(evidence));
  return reason === "unknown" || classOf(reason) === "bad_address" ? "bounce" : "refusal";
}

/** Drops words that fit any failure, such as "rejected". */
function clearOf({ said, ...codes }: Evidence = {}): Evidence {
  return said && !said.isWeak ? { ...codes, said } : codes;
}
