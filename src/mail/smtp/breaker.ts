import type { SmtpConnectError } from "./connect-error.ts";
import type { OutgoingMessage, SendResult, SmtpPhase } from "./message.ts";
import { SERVICE_CLOSING, type SmtpReply } from "./reply.ts";

/** The reason to stop sending; it becomes the result of every remaining message. */
export interface StopReason {
  phase: SmtpPhase;
  error: string;
  reply?: SmtpReply | undefined;
}

const FAILED_OPENS_MAX = 2;
const LOST_MESSAGES_MAX_PER_CONNECTION = 2;

/**
 * Decides when to give up on a server: after a permanent refusal, after two failed openings in a
 * row, or after two messages in a row for each connection that lost their session.
 */
export class Breaker {
  readonly #lostMessagesMax: number;
  #failedOpens = 0;
  #lostMessages = 0;
  /** Set once the breaker has tripped. */
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

  /** Records the final result of a message. */
  finished(result: SendResult): void {
    this.#lostMessages = isLost(result) ? this.#lostMessages + 1 : 0;
    if (this.#lostMessages < this.#lostMessagesMax) return;
    const { phase = "connect", error = "", reply } = result.recipients[0] ?? {};
    this.reason ??= { phase, error: `the server ends every session: ${error}`, reply };
  }
}

/**
 * Returns true when a message was certainly not accepted because its session ended, so that another
 * session may take it.
 */
export function isWorthAnotherSession({ sessionUsable, recipients }: SendResult): boolean {
  return (
    !sessionUsable &&
    recipients.every(
      ({ outcome, reply }) => outcome === "not_sent" || reply?.code === SERVICE_CLOSING,
    )
  );
}

/** Returns the result of a message that is not tried at all. */
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
