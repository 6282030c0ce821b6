import type { Deps } from "../../deps.ts";
import { heartbeatMs } from "../../db/lease.ts";
import { AppError } from "../../errors.ts";
import type { Pace } from "../../lib/rates/rate-types.ts";
import { domainOf } from "../../mail/address.ts";
import {
  Breaker,
  MESSAGES_IN_HAND_MAX,
  notSent,
  realRecipients,
  simulate,
  SmtpConnectError,
  TIME_IS_OVER,
  type OutgoingMessage,
  type ServerResult,
  type SmtpPool,
} from "../../mail/smtp/index.ts";
import type { Sender } from "../projects/index.ts";
import { admitBulk, type Gate } from "./gate.ts";
import type { ClaimedMail, Ledger } from "./ledger.ts";
import { failed, final, notTried, outcomesOf, type MailOutcome } from "./outcome.ts";
import { signOfResult } from "./read-sign.ts";
import type { MailFacts, FinishedMail } from "./record.ts";

/**
 * The number of free places at which the delivery claims more: the sessions work on the other half
 * of MESSAGES_IN_HAND_MAX meanwhile.
 */
const GROUP = 8;

/** The way of a broadcast or batch to the mail server of its project. */
export interface BulkLine {
  pool: SmtpPool;
  gate: Gate;
  pace: Pace | undefined;
}

export interface DeliveryOptions {
  /** Returns true once the delivery is to give back the mails that it has not handed over. */
  isOver?: () => boolean;
  /** The time for which to try to open a session, in milliseconds. */
  patienceMs?: number;
}

/**
 * Delivers everything that a ledger claims. Each write of the ledger records finished mails and
 * claims the next ones while others are on their way. Throws the first error of the ledger, after
 * every mail that was handed over has an outcome and the ledger has noted it.
 */
export function deliverAll(
  deps: Deps,
  sender: Sender,
  ledger: Ledger,
  line: BulkLine,
  options: DeliveryOptions = {},
): Promise<void> {
  return new Delivery(sender, ledger, line, options).run(heartbeatMs(deps));
}

/** The work of one call of `deliverAll`. */
class Delivery {
  readonly #sender: Sender;
  readonly #ledger: Ledger;
  readonly #line: BulkLine;
  readonly #breaker: Breaker;
  readonly #isOver: () => boolean;
  /** Claimed mails without an outcome: at most MESSAGES_IN_HAND_MAX (decision D7). */
  readonly #inHand = new Set<MailFacts>();
  /** Those of them that have not begun. */
  #waiting: ClaimedMail[] = [];
  /** Mails with an outcome that the ledger does not have. */
  #finished: FinishedMail[] = [];
  /** True once finished mails are to be noted even if no others are claimed. */
  #isTime = false;
  /** The first error: nothing begins any more. */
  #fault: unknown;
  /** Resolves at the next outcome, or when it is time. */
  #change = Promise.withResolvers<void>();

  constructor(
    sender: Sender,
    ledger: Ledger,
    line: BulkLine,
    { isOver = () => false, patienceMs = 0 }: DeliveryOptions,
  ) {
    this.#sender = sender;
    this.#ledger = ledger;
    this.#line = line;
    this.#isOver = isOver;
    this.#breaker = new Breaker(patienceMs);
  }

  async run(noteEveryMs: number): Promise<void> {
    const timer = setInterval(() => {
      this.#isTime = true;
      this.#announce();
    }, noteEveryMs);
    try {
      await this.#deliver();
    } catch (error) {
      this.#fault ??= error;
    }
    clearInterval(timer);
    await this.#endRest();
    if (this.#fault !== undefined) throw this.#fault;
  }

  async #deliver(): Promise<void> {
    for (;;) {
      if (this.#fault !== undefined) return;
      this.#beginWaiting();
      const room = MESSAGES_IN_HAND_MAX - this.#inHand.size;
      const count = room >= GROUP && this.#ledger.hasMore() ? room : 0;
      if (count > 0 || (this.#isTime && this.#hasNews())) await this.#advance(count);
      else if (this.#inHand.size > 0) await this.#change.promise;
      else return;
    }
  }

  /** Begins claimed mails, as many as the auto-pause allows. */
  #beginWaiting(): void {
    const { autoPause } = this.#ledger;
    while (this.#waiting.length > 0) {
      const outstanding = this.#inHand.size - this.#waiting.length;
      const next = autoPause?.mayGive(outstanding) === false ? undefined : this.#waiting.shift();
      if (!next) return;
      void this.#send(next);
    }
  }

  /** Returns true if the ledger has outcomes to write. */
  #hasNews(): boolean {
    return this.#finished.length > 0 || this.#ledger.owesLog?.() === true;
  }

  async #advance(count: number): Promise<void> {
    this.#isTime = false;
    const claimed = await this.#ledger.advance(this.#finished.splice(0), [...this.#inHand], count);
    for (const { mail } of claimed) this.#inHand.add(mail);
    this.#waiting.push(...claimed);
  }

  /**
   * Waits for the mails that have begun, gives back the others, and records all outcomes. After a
   * fault, the ledger can only note them for its next run.
   */
  async #endRest(): Promise<void> {
    for (const { mail } of this.#waiting.splice(0)) this.#finish(mail, givenBack(mail));
    while (this.#inHand.size > 0) await this.#change.promise;
    if (!this.#hasNews()) return;
    try {
      await this.#advance(0);
    } catch (error) {
      this.#fault ??= error;
    }
  }

  async #send(claimed: ClaimedMail): Promise<void> {
    const { mail } = claimed;
    try {
      this.#finish(mail, await this.#outcomeOf(claimed));
    } catch (error) {
      this.#fault ??= error; // what became of the mail is unknown
      this.#inHand.delete(mail);
      this.#announce();
    }
  }

  #finish(mail: MailFacts, outcome: MailOutcome): void {
    this.#inHand.delete(mail);
    this.#finished.push({ mail, outcome });
    this.#ledger.autoPause?.note(outcome);
    this.#announce();
  }

  #announce(): void {
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers();
    resolve();
  }

  /** Sends one claimed mail, unless something speaks against it. */
  async #outcomeOf({ mail, next }: ClaimedMail): Promise<MailOutcome> {
    if ("decided" in next) return final(next.decided);
    const to = mail.to.address;
    const stopped = () => this.#ledger.autoPause?.stopped()?.message;
    const isReal = realRecipients([to], mail).length > 0;
    if (this.#isOver()) return givenBack(mail);
    if (isReal && stopped() === undefined) {
      const { gate, pace } = this.#line;
      const admission = await admitBulk(gate, { domain: domainOf(to), pace }, this.#isOver);
      if (admission === "too_late") return givenBack(mail);
      if (admission !== "go")
        return notTried(to, LIMIT_REACHED, { kind: "held_back", wait: admission });
    }
    const reason = stopped();
    if (reason !== undefined) return notTried(to, reason, { kind: "auto_paused" });
    const message = await composeOrFail(to, next.compose);
    if ("main" in message) return message;
    if (isReal) return this.#sendMessage(to, message);
    return outcomesOf(to, simulate([to]), this.#sender);
  }

  async #sendMessage(to: string, message: OutgoingMessage): Promise<MailOutcome> {
    const sent = await this.#sendOverPool(message);
    const outcome = outcomesOf(to, sent, this.#sender);
    const isNotSent = sent.result.recipients.every((one) => one.outcome === "not_sent");
    if (this.#isOver() && isNotSent)
      return { ...outcome, retry: { kind: "given_back", tried: outcome.retry } };
    const sign = signOfResult(sent.result);
    if (sign) this.#line.gate.learn(sign);
    return outcome;
  }

  /** Sends one message. Tries again while no session opens, until the breaker trips. */
  async #sendOverPool(message: OutgoingMessage): Promise<ServerResult> {
    const [breaker, isOver] = [this.#breaker, this.#isOver];
    for (;;) {
      const reason = breaker.reason ?? (isOver() ? TIME_IS_OVER : undefined);
      if (reason) return { result: notSent(message, reason), role: this.#sender.smtp.role };
      try {
        const sent = await this.#line.pool.send(message, this.#sender, { isBulk: true, isOver });
        breaker.finished(sent.result);
        return sent;
      } catch (error) {
        if (!(error instanceof SmtpConnectError)) throw error;
        if (!isOver()) await breaker.openFailed(error);
      }
    }
  }
}

const LIMIT_REACHED = "a limit of the mail server is reached: the mail was not sent";

const givenBack = ({ to }: MailFacts): MailOutcome =>
  notTried(to.address, TIME_IS_OVER.error, { kind: "given_back", tried: null });

/** Composes one mail. If it cannot be composed (a broken header), only this mail fails. */
async function composeOrFail(
  to: string,
  compose: () => Promise<OutgoingMessage>,
): Promise<OutgoingMessage | MailOutcome> {
  try {
    return await compose();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return final(failed(to, error.message, error.code));
  }
}
