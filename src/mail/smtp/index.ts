/** Sends mail by SMTP: one message, or a stream of them over several sessions. */
export { SmtpConnectError } from "./connect-error.ts";
export type { OutgoingMessage, RecipientResult, SendResult } from "./message.ts";
export { describeReply, type SmtpReply } from "./reply.ts";
export { requestTls } from "./request-tls.ts";
export { sayFarewell } from "./farewell.ts";
export { type Cooldown, type ServerResult, sendWithFailover } from "./failover.ts";
export { SmtpPool } from "./pool.ts";
export { Breaker, notSent, TIME_IS_OVER } from "./breaker.ts";
export { MESSAGES_IN_HAND_MAX, type PoolRules } from "./pool-rules.ts";
export { sendOne } from "./send-one.ts";
export { SmtpSession } from "./session.ts";
export {
  DEFAULT_SMTP_TIMEOUTS,
  type SmtpSettings,
  type SmtpTimeouts,
  tlsModeFor,
} from "./settings.ts";
export { queueIdOf } from "./queue-id.ts";
export { realRecipients, sendToReal, simulate, simulatedOutcomeOf } from "./simulate.ts";
