import type { RecipientOutcome, RecipientResult, SmtpPhase } from "./message.ts";
import { describeReply, type SmtpReply } from "./reply.ts";

/**
 * The results of one message while it is on its way. A recipient is decided once; the first word
 * stays, so that a later loss of the connection changes nothing for those already refused.
 */
export class Outcomes {
  /** The step the session is in; what is decided is decided in it. */
  phase: SmtpPhase = "mail";
  #isHandedOver = false;
  readonly #addresses: string[];
  readonly #decided = new Map<number, RecipientResult>();

  constructor(addresses: string[]) {
    this.#addresses = addresses;
  }

  /** True while a recipient may still get the message. */
  get open(): boolean {
    return this.#decided.size < this.#addresses.length;
  }

  /** True once the server may have the whole message. */
  get isHandedOver(): boolean {
    return this.#isHandedOver;
  }

  /** The last byte of the message (with DATA: the final dot) is written now: the server may have it. */
  handOver(): void {
    this.#isHandedOver = true;
  }

  /** The server refused the recipient at `index`. */
  refuse(index: number, reply: SmtpReply): void {
    const outcome = reply.code < 500 ? "deferred" : "rejected";
    this.#decide(index, outcome, describeReply(reply), reply);
  }

  /** The server refused the message for all that are still open. */
  refuseRest(reply: SmtpReply): void {
    for (const index of this.#addresses.keys()) this.refuse(index, reply);
  }

  /** The server took the message for all that are still open. */
  acceptRest(reply: SmtpReply): void {
    this.#decideRest("accepted", "", reply);
  }

  /** This client does not send the message. */
  rejectRest(error: string): void {
    this.#decideRest("rejected", error);
  }

  /** The connection was lost: once the message is handed over nobody knows, before it nothing was sent. */
  loseRest(error: string): void {
    if (this.#isHandedOver) this.phase = "body";
    this.#decideRest(this.#isHandedOver ? "unknown" : "not_sent", error);
  }

  /**
   * The server did not look at the message, handed over as it may be. So it is behind a 421 after
   * which the session ended: commands are carried out in order (RFC 2920 section 3.2) and none after
   * a 421 (RFC 5321 section 3.8).
   */
  spareRest(reply: SmtpReply): void {
    this.#decideRest("not_sent", describeReply(reply), reply);
  }

  /** One result per recipient, in the order of the envelope. */
  results(): RecipientResult[] {
    return this.#addresses.map((address, index) => {
      const result = this.#decided.get(index);
      if (!result) throw new Error(`no outcome was decided for ${address}`);
      return result;
    });
  }

  #decideRest(outcome: RecipientOutcome, error: string, reply?: SmtpReply): void {
    for (const index of this.#addresses.keys()) this.#decide(index, outcome, error, reply);
  }

  #decide(index: number, outcome: RecipientOutcome, error: string, reply?: SmtpReply): void {
    const address = this.#addresses[index];
    if (address === undefined || this.#decided.has(index)) return;
    const base = { address, outcome, phase: this.phase, error };
    this.#decided.set(index, reply ? { ...base, reply } : base);
  }
}
