import type { ConnectionMessage } from "../../messages/connections.ts";
import type { RecipientOutcome, RecipientResult, SmtpPhase } from "./message.ts";
import { describeReply, type SmtpReply } from "./reply.ts";

/**
 * Results of one message in progress. The first decision about a recipient is final, so that a
 * later loss of the connection does not overwrite an earlier rejection.
 */
export class Outcomes {
  /** The current step of the session, recorded with each decision. */
  phase: SmtpPhase = "mail";
  /** True once part of the content was written before the replies to the envelope. */
  hasContent = false;
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

  /** True if the server accepted the message for at least one recipient. */
  get isAccepted(): boolean {
    return [...this.#decided.values()].some(({ outcome }) => outcome === "accepted");
  }

  /** True once the server may have the whole message. */
  get isHandedOver(): boolean {
    return this.#isHandedOver;
  }

  /**
   * Marks the write of the last byte (with DATA: the final dot): from now on the server may have
   * the message.
   */
  handOver(): void {
    this.#isHandedOver = true;
  }

  /** Records the server's rejection of the recipient at `index`. */
  refuse(index: number, reply: SmtpReply): void {
    const outcome = reply.code < 500 ? "deferred" : "rejected";
    this.#decide(index, outcome, describeReply(reply), reply);
  }

  /** Records the server's rejection of the message for all undecided recipients. */
  refuseRest(reply: SmtpReply): void {
    for (const index of this.#addresses.keys()) this.refuse(index, reply);
  }

  /** Records the server's acceptance of the message for all undecided recipients. */
  acceptRest(reply: SmtpReply): void {
    this.#decideRest("accepted", "", reply);
  }

  /** Records that this client does not send the message. */
  rejectRest(reason: ConnectionMessage): void {
    this.#decideRest("rejected", reason);
  }

  /**
   * Records a lost connection: after the last byte the outcome is unknown, before it nothing was
   * sent.
   */
  loseRest(reason: ConnectionMessage): void {
    if (this.#isHandedOver) this.phase = "body";
    this.#decideRest(this.#isHandedOver ? "unknown" : "not_sent", reason);
  }

  /**
   * Records that the server ended the session before processing the message, even if it was fully
   * written: a 421 came first, or a rejection of MAIL that concerns the session. Servers execute
   * commands in order (RFC 2920 section 3.2), and none after a 421 (RFC 5321 section 3.8).
   */
  spareRest(reply: SmtpReply): void {
    this.#decideRest("not_sent", describeReply(reply), reply);
  }

  /** Returns one result per recipient, in the order of the envelope. */
  results(): RecipientResult[] {
    return this.#addresses.map((address, index) => {
      const result = this.#decided.get(index);
      if (!result) throw new Error(`no outcome was decided for ${address}`);
      return result;
    });
  }

  #decideRest(
    outcome: RecipientOutcome,
    reason: ConnectionMessage | string,
    reply?: SmtpReply,
  ): void {
    for (const index of this.#addresses.keys()) this.#decide(index, outcome, reason, reply);
  }

  #decide(
    index: number,
    outcome: RecipientOutcome,
    reason: ConnectionMessage | string,
    reply?: SmtpReply,
  ): void {
    const address = this.#addresses[index];
    if (address === undefined || this.#decided.has(index)) return;
    const why = typeof reason === "string" ? { error: reason } : { error: reason.message, reason };
    const base = { address, outcome, phase: this.phase, ...why };
    this.#decided.set(index, reply ? { ...base, reply } : base);
  }
}
