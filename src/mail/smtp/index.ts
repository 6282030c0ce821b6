/** Sends mail by SMTP: one message, or a stream of them over several sessions. */
export { NoFreeSession, SmtpConnectError } from "./connect-error.ts";
export type { OutgoingMessage, RecipientResult, SendResult } from "./message.ts";
export { describeReply, type SmtpReply } from "./reply.ts";
export { requestTls } from "./request-tls.ts";
export { sayFarewell, sendOne } from "./send-one.ts";
export { sendOverConnections } from "./send-over-connections.ts";
export { SessionPool } from "./session-pool.ts";
export { SmtpSession } from "./session.ts";
export {
  accountOf,
  DEFAULT_SMTP_TIMEOUTS,
  type SmtpSettings,
  type SmtpTimeouts,
  tlsModeFor,
} from "./settings.ts";
export { MESSAGES_IN_HAND_MAX, type Shipment } from "./shipment.ts";
export { isUntouched } from "./untouched.ts";
export { WarmSessions } from "./warm-sessions.ts";
export type { WarmRules } from "./warm-rules.ts";
export { queueIdOf } from "./queue-id.ts";
