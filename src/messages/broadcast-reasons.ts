import { messageFrom, type Message, type ParamsFor } from "./message.ts";

/** Why a broadcast paused itself, or did not go as planned. */
export const BROADCAST_REASONS = {
  addresses_invalid: "{number} of {total} addresses do not exist: clean the list",
  recipients_complained: "{number} of {total} recipients complained",
  mails_refused: "{number} of {total} emails were rejected with the reason {reason}",
  mails_refused_in_a_row:
    "the server rejected {number} emails in a row with the reason {reason}: {reply}",
  server_error: "{reply}",
  no_session: "could not open a session with the mail server",
  audience_condition_invalid: "its audience condition is no longer valid: {reason}",
  /** Set by the statements of docs/operations.md. */
  database_restored: "the database was restored to an earlier time",
  not_started: "not started: {reason}",
  too_late: "it was {minutes} minutes late",
  started_late: "started {minutes} minutes late",
} as const;

export type BroadcastReasonCode = keyof typeof BROADCAST_REASONS;

/** Makes a reason of a broadcast. */
export const broadcastReason = <Code extends BroadcastReasonCode>(
  code: Code,
  params: ParamsFor<(typeof BROADCAST_REASONS)[Code]>,
): Message<Code> => messageFrom(BROADCAST_REASONS, code, params);

/** Makes the reason of a refusal a part of another one; the text has its name. */
export const because = (reason: string): Message => ({
  code: `because_${reason}`,
  message: reason,
});

/** Returns all reasons of a broadcast as one text; null without any. */
export const textOfReasons = (reasons: readonly Pick<Message, "message">[] | null): string | null =>
  reasons && reasons.map(({ message }) => message).join("; ");
