import type { SmtpReply } from "./reply.ts";

/** Who a message is from and for (RFC 5321 section 2.3.1); `from` may be empty, `to` may not. */
export interface Envelope {
  from: string;
  to: string[];
  /** True when the message itself needs SMTPUTF8 (RFC 6531), as UTF-8 header fields do. */
  smtpUtf8: boolean;
}

/** A message to send: `data` is an RFC 5322 message with CRLF line ends, not dot-stuffed. */
export interface OutgoingMessage {
  envelope: Envelope;
  data: Uint8Array;
}

/**
 * The step of a session that decided. `body` starts when the last byte of the message (with DATA:
 * the final dot) may have been written.
 */
export type SmtpPhase = "connect" | "tls" | "auth" | "mail" | "rcpt" | "data" | "body";

/**
 * What became of a recipient: `accepted` by the server; `rejected` by a 5xx answer, or by us
 * because the server or the protocol cannot carry it; `deferred` by a 4xx answer; `unknown`, as
 * the connection was lost when the message was written to its end, so it must not be resent by
 * itself; `not_sent`, as it was lost before, or ended before the server came to it, so a retry is
 * safe.
 */
export type RecipientOutcome = "accepted" | "rejected" | "deferred" | "unknown" | "not_sent";

/** The result for one address; `error` is for people and empty when accepted. */
export interface RecipientResult {
  address: string;
  outcome: RecipientOutcome;
  phase: SmtpPhase;
  reply?: SmtpReply;
  error: string;
}

/** One result per recipient in the order of the envelope, and whether the session lives on. */
export interface SendResult {
  recipients: RecipientResult[];
  sessionUsable: boolean;
}
