import type { SmtpConnectError } from "./connect-error.ts";
import type { OutgoingMessage, SendResult, SmtpPhase } from "./message.ts";
import type { SmtpReply } from "./reply.ts";
import { isWorthAnotherSession } from "./untouched.ts";

/** The reason not to send a message. */
interface StopReason {
  phase: SmtpPhase;
  error: string;
  reply?: SmtpReply | undefined;
}

/** The result of messages that a caller without time left gives back. */
export const TIME_IS_OVER: StopReason = {
  phase: "mail",
  error: "the server took too long for the time of this attempt",
};

const FAILED_OPENS_MAX = 2;

/** The pauses between failed openings: the first one, which doubles each time, and the longest. */
const PAUSE_MS = { first: 100, most: 1_000 };

/** Messages in a row that lost their session. */
const LOST_MESSAGES_MAX = 8;

/**
 * Decides when bulk mail gives up on a server: after a permanent refusal, after two failed openings
 * in a row and the time of its patience, or after eight messages in a row that lost their session.
 */
export class Breaker {
  readonly #patienceMs: number;
  #failedOpens = 0;
  #failingSince = 0;
  #pause: Promise<void> | undefined;
  #lostMessages = 0;
  /** Set once the breaker has tripped. */
  reason: StopReason | undefined;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /**
   * Records that no session opened for a message. Returns the end of the pause after which to try
   * again; undefined once the breaker has tripped. All messages that waited fail together: that
   * counts once, and they try again together.
   */
  openFailed({ message, phase, reply, temporary }: SmtpConnectError): Promise<void> | undefined {
    if (this.reason || this.#pause) return this.#pause;
    const now = performance.now();
    if (this.#failedOpens === 0) this.#failingSince = now;
    const pauseMs = Math.min(PAUSE_MS.most, PAUSE_MS.first * 2 ** this.#failedOpens);
    this.#failedOpens += 1;
    const isPatient = now - this.#failingSince < this.#patienceMs;
    if (temporary && (isPatient || this.#failedOpens < FAILED_OPENS_MAX)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(() => {
        this.#pause = undefined;
        resolve();
      }, pauseMs);
      return (this.#pause = promise);
    }
    this.reason = { phase, error: message, reply };
    return undefined;
  }

  /** Records the result of a message. */
  finished(result: SendResult): void {
    this.#failedOpens = 0;
    this.#lostMessages = isLost(result) ? this.#lostMessages + 1 : 0;
    if (this.#lostMessages < LOST_MESSAGES_MAX) return;
    const { phase = "connect", error = "", reply } = result.recipients[0] ?? {};
    this.reason ??= { phase, error: `the server ends every session: ${error}`, reply };
  }
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
