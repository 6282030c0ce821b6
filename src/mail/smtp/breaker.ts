import type { SmtpConnectError } from "./connect-error.ts";
import type { OutgoingMessage, SendResult, SmtpPhase } from "./message.ts";
import { SERVICE_CLOSING, type SmtpReply } from "./reply.ts";

/** Why nothing more is tried; it becomes the result of every message that is left. */
export interface StopReason {
  phase: SmtpPhase;
  error: string;
  reply?: SmtpReply | undefined;
}

const FAILED_OPENS_MAX = 2;
const LOST_MESSAGES_MAX_PER_CONNECTION = 2;

/**
 * Decides when a server is not worth another attempt: after a refusal for good, after two failed
 * openings in a row, and after two messages in a row for each connection that lost their session.
 */
export class Breaker {
  readonly #lostMessagesMax: number;
  #failedOpens = 0;
  #lostMessages = 0;
  /** Set once it is over. */
  reason: StopReason | undefined;

  constructor(connections: number) {
    this.#lostMessagesMax = connections * LOST_MESSAGES_MAX_PER_CONNECTION;
  }

  opened(): void {
    this.#failedOpens = 0;
  }

  openFailed({ message, phase, reply, temporary }: SmtpConnectError): void {
    this.#failedOpens += 1;
    if (temporary && this.#failedOpens < FAILED_OPENS_MAX) return;
    this.reason ??= { phase, error: message, reply };
  }

  /** Takes in the final result of a message. */
  finished(result: SendResult): void {
    this.#lostMessages = isLost(result) ? this.#lostMessages + 1 : 0;
    if (this.#lostMessages < this.#lostMessagesMax) return;
    const { phase = "connect", error = "", reply } = result.recipients[0] ?? {};
    this.reason ??= { phase, error: `the server ends every session: ${error}`, reply };
  }
}

/** True when a message certainly was not taken because its session ended: another may take it. */
export function isWorthAnotherSession({ sessionUsable, recipients }: SendResult): boolean {
  return (
    !sessionUsable &&
    recipients.every(
      ({ outcome, reply }) => outcome === "not_sent" || reply?.code === SERVICE_CLOSING,
    )
  );
}

/** The result of a message that is not tried at all. */
export function notSent({ envelope }: OutgoingMessage, reason: StopReason): SendResult {
  const { phase, error, reply } = reason;
  const facts = { outcome: "not_sent" as const, phase, error, ...(reply ? { reply } : {}) };
  return {
    recipients: envelope.to.map((address) => ({ address, ...facts })),
    sessionUsable: false,
  };
}

function isLost(result: SendResult): boolean {
  const isUnknown = result.recipients.some(({ outcome }) => outcome === "unknown");
  return isUnknown || isWorthAnotherSession(result);
}
