import type { ConnectionMessage } from "../../messages/connections.ts";
import type { MessageData } from "../message-data.ts";
import type { SmtpReply } from "./reply.ts";

/**
 * Sender and recipients of a message (RFC 5321 section 2.3.1); `from` may be empty, but `to` may
 * not.
 */
export interface Envelope {
  from: string;
  to: string[];
  /** True if the message itself needs SMTPUTF8 (RFC 6531), as UTF-8 header fields do. */
  smtpUtf8: boolean;
}

/** A message to send: `data` is an RFC 5322 message, not dot-stuffed. */
export interface OutgoingMessage {
  envelope: Envelope;
  data: MessageData;
}

/**
 * The deciding step of a session. `body` starts when the last byte of the message (with DATA: the
 * final dot) may have been written.
 */
export type SmtpPhase = "connect" | "tls" | "auth" | "mail" | "rcpt" | "data" | "body";

/**
 * Outcome for a recipient.
 * - `accepted`: the server accepted the message.
 * - `rejected`: a 5xx reply, or the server or the protocol cannot carry the message.
 * - `deferred`: a 4xx reply.
 * - `unknown`: the connection broke after the whole message was written. Never retried
 *   automatically.
 * - `not_sent`: the connection broke earlier, or ended before the server reached the message. A
 *   retry is safe.
 */
export type RecipientOutcome = "accepted" | "rejected" | "deferred" | "unknown" | "not_sent";

/** Result for one address; `error` is human-readable, and empty if accepted. */
export interface RecipientResult {
  address: string;
  outcome: RecipientOutcome;
  phase: SmtpPhase;
  reply?: SmtpReply;
  error: string;
  /** The error as a message, unless its text is the server's. */
  reason?: ConnectionMessage;
}

/**
 * One result per recipient, in envelope order; `sessionUsable` is false if the session cannot
 * continue.
 */
export interface SendResult {
  recipients: RecipientResult[];
  sessionUsable: boolean;
  /** True if part of the content was written, whatever the phase of the results. */
  hasContent?: boolean;
}
