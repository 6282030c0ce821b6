/** Sending mail by SMTP: one message, or a stream of them over several sessions. */
export { SmtpConnectError, type OpeningPhase } from "./connect-error.ts";
export type {
  Envelope,
  OutgoingMessage,
  RecipientOutcome,
  RecipientResult,
  SendResult,
  SmtpPhase,
} from "./message.ts";
export { describeReply, type SmtpReply } from "./reply.ts";
export { sendOne } from "./send-one.ts";
export { sendOverConnections } from "./send-over-connections.ts";
export { SessionPool } from "./session-pool.ts";
export { SmtpSession } from "./session.ts";
export {
  DEFAULT_SMTP_TIMEOUTS,
  type SmtpSettings,
  type SmtpTimeouts,
  type TlsMode,
  tlsModeFor,
} from "./settings.ts";
export { MESSAGES_IN_HAND_MAX, type Shipment } from "./shipment.ts";
