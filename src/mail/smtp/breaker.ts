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

/** The pauses between failed openings: the first one, which doubles each time, and the longest. */
const PAUSE_MS = { first: 100, most: 1_000 };

const LOST_MESSAGES_MAX_PER_CONNECTION = 2;

/**
 * Decides when to give up on a server: after a permanent refusal, after two failed openings in a
 * row and the time of its patience, or after two messages in a row for each connection that lost
 * their session.
 */
export class Breaker {
  readonly #lostMessagesMax: number;
  readonly #patienceMs: number;
  #failedOpens = 0;
  #failingSince = 0;
  #lostMessages = 0;
  /** Set once the breaker has tripped. */
  reason: StopReason | undefined;

  constructor(connections: number, patienceMs: number) {
    this.#lostMessagesMax = connections * LOST_MESSAGES_MAX_PER_CONNECTION;
    this.#patienceMs = patienceMs;
  }

  opened(): void {
    this.#failedOpens = 0;
  }

  /** Returns the pause before the next opening, in milliseconds. */
  openFailed({ message, phase, reply, temporary }: SmtpConnectError): number {
    const now = performance.now();
    if (this.#failedOpens === 0) this.#failingSince = now;
    const pauseMs = Math.min(PAUSE_MS.most, PAUSE_MS.first * 2 ** this.#failedOpens);
    this.#failedOpens += 1;
    const isPatient = now - this.#failingSince < this.#patienceMs;
    if (temporary && (isPatient || this.#failedOpens < FAILED_OPENS_MAX)) return pauseMs;
    this.reason ??= { phase, error: message, reply };
    return 0;
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
