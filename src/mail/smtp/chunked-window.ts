/*
 * Several whole transactions in flight on one session. The client writes MAIL, RCPT and BDAT with
 * all its bytes (CHUNKING, RFC 3030) without waiting for earlier replies (PIPELINING, RFC 2920), so
 * that the round trip no longer limits the pace. Replies arrive in the order of the commands. The
 * client reads them while it writes the next messages, even while such a write is blocked.
 *
 * A hostile server may stop reading, fall silent or close midway. At most 256 KiB or one larger
 * message are in flight, and every message has its own deadline. When the session is lost, a
 * message that was written to its last byte without a reply is `unknown`, and any other is
 * `not_sent`. The one exception is an orderly end: the server has not reached messages behind a 421
 * after which it closes.
 */
import { connectionMessage, type ConnectionMessage } from "../../messages/connections.ts";
import { type Connection } from "../net/connection.ts";
import { ConnectionError } from "../net/connection-error.ts";
import type { Capabilities } from "./capabilities.ts";
import {
  type ChunkedTransaction,
  encodeCommands,
  readAnswers,
  UnknownBdatError,
} from "./chunked-transaction.ts";
import { prepareMessage } from "./command.ts";
import { expectConnectionError } from "./connect-error.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import { Outbox } from "./outbox.ts";
import { Outcomes } from "./outcomes.ts";
import { readReply, SERVICE_CLOSING, type SmtpReply } from "./reply.ts";
import type { SessionLoad } from "./session-load.ts";
import type { SmtpTimeouts } from "./settings.ts";

/**
 * Most bytes in flight on a session, so that four sessions hold 1 MiB. Messages of 4 KB never reach
 * it; with larger ones it fills 40 Mbit/s at 50 ms. A message above this size is in flight alone.
 */
const WINDOW_BYTES_MAX = 262_144;

/** The outcome of a posted message. */
export interface Posted {
  result: SendResult;
  /** False if the session ended before the message's turn, so that it did not cause the end. */
  wasReached: boolean;
  /** True if the server, whatever it offers, does not know BDAT and accepted it for nobody. */
  isBdatUnknown: boolean;
}

interface Transaction extends ChunkedTransaction {
  posted: PromiseWithResolvers<Posted>;
  /** Settles with the transaction's last write. */
  written: Promise<void>;
}

/** The messages in flight on one session. */
export class ChunkedWindow {
  readonly #connection: Connection;
  readonly #offers: Capabilities;
  readonly #timeouts: SmtpTimeouts;
  readonly #load: SessionLoad;
  readonly #outbox: Outbox;
  /** Transactions posted but not reported yet; replies belong to the first. */
  readonly #inFlight: Transaction[] = [];
  /** The transaction whose replies are being read; the deadline applies to it. */
  #reading: Transaction | undefined;
  #mustReset: boolean;
  #lossError: ConnectionMessage | undefined;
  /** The last reply, if it was a 421; more replies may follow until the connection closes. */
  #farewell: SmtpReply | undefined;
  #isClosing = false;

  /** `mustReset` is true when the session has had an earlier transaction. */
  constructor(
    connection: Connection,
    offers: Capabilities,
    timeouts: SmtpTimeouts,
    load: SessionLoad,
    mustReset: boolean,
  ) {
    this.#connection = connection;
    this.#offers = offers;
    this.#timeouts = timeouts;
    this.#load = load;
    this.#outbox = new Outbox(connection);
    this.#mustReset = mustReset;
  }

  /** False once the session has ended or the server ends it. */
  get isAlive(): boolean {
    return this.#lossError === undefined && !this.#isClosing;
  }

  /** True while another message may follow. */
  get isUsable(): boolean {
    return this.isAlive && this.#load.hasRoomFor(1);
  }

  get isBusy(): boolean {
    return this.#inFlight.length > 0;
  }

  /** Returns true if one more message of this size may be in flight now. */
  hasRoomFor(messagesMax: number, sizeBytes: number): boolean {
    if (!this.isUsable || !this.isBusy) return this.isUsable;
    const sizes = this.#inFlight.map(({ prepared }) => prepared.message.data.length);
    const bytes = sizes.reduce((sum, size) => sum + size, sizeBytes);
    if (sizes.length >= messagesMax || bytes > WINDOW_BYTES_MAX) return false;
    return this.#load.hasRoomFor(sizes.length + 1);
  }

  /** Writes a message behind those in flight. Results come in the order of posting. */
  post(message: OutgoingMessage): Promise<Posted> {
    const prepared = prepareMessage(message, this.#offers);
    const outcomes = new Outcomes(message.envelope.to);
    const posted = Promise.withResolvers<Posted>();
    const state = { isLedByReset: this.#mustReset, load: this.#load, written: Promise.resolve() };
    const transaction = { prepared, outcomes, posted, ...state };
    this.#inFlight.push(transaction);
    if (prepared.obstacle === undefined) {
      this.#mustReset = true;
      transaction.written = this.#write(transaction);
      transaction.written.catch(expectConnectionError); // the replies report the loss
    }
    if (this.#inFlight.length === 1) void this.#readReplies();
    return posted.promise;
  }

  /** Reads the replies until nothing is in flight. Never rejects. */
  async #readReplies(): Promise<void> {
    for (let first = this.#inFlight[0]; first; first = this.#inFlight[0]) {
      const { posted } = first;
      try {
        const told = await this.#complete(first);
        this.#inFlight.shift(); // makes room before the caller hears of the result
        posted.resolve(told);
      } catch (error) {
        this.#lose(connectionMessage("session_given_up"));
        this.#inFlight.shift();
        posted.reject(error);
      }
    }
  }

  async #complete(transaction: Transaction): Promise<Posted> {
    const { prepared, outcomes } = transaction;
    let end: Omit<Posted, "result"> = { wasReached: true, isBdatUnknown: false };
    if (prepared.obstacle === undefined) {
      end = await this.#receive(transaction);
      this.#load.count(outcomes);
    } else outcomes.rejectRest(prepared.obstacle);
    const result = { recipients: outcomes.results(), sessionUsable: this.isUsable };
    return { result: outcomes.hasContent ? { ...result, hasContent: true } : result, ...end };
  }

  /** Decides the outcomes of the first message in flight. */
  async #receive(transaction: Transaction): Promise<Omit<Posted, "result">> {
    const { outcomes } = transaction;
    if (this.#lossError !== undefined) {
      this.#settleBehindLoss(outcomes, this.#lossError);
      return { wasReached: false, isBdatUnknown: false };
    }
    const farewellBefore = this.#farewell;
    try {
      this.#reading = transaction;
      this.#renewDeadline(transaction);
      await readAnswers(transaction, () => this.#reply());
      await transaction.written; // an early reply may precede the last write; the deadline covers it
      return { wasReached: true, isBdatUnknown: false };
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      if (error.fault !== "closed") this.#farewell = undefined;
      this.#lose(error.reason);
      const wasReached = !this.#farewell || this.#farewell !== farewellBefore;
      if (this.#farewell && wasReached) outcomes.refuseRest(this.#farewell);
      else this.#settleBehindLoss(outcomes, error.reason);
      return { wasReached, isBdatUnknown: error instanceof UnknownBdatError };
    } finally {
      this.#reading = undefined;
      this.#connection.pause();
    }
  }

  #settleBehindLoss(outcomes: Outcomes, reason: ConnectionMessage): void {
    if (this.#farewell) outcomes.spareRest(this.#farewell);
    else outcomes.loseRest(reason);
  }

  async #reply(): Promise<SmtpReply> {
    const reply = await readReply(this.#connection);
    this.#farewell = reply.code === SERVICE_CLOSING ? reply : undefined;
    this.#isClosing ||= this.#farewell !== undefined;
    return reply;
  }

  #write(transaction: Transaction): Promise<void> {
    const { outcomes, prepared } = transaction;
    const { data } = prepared.message;
    const commands = encodeCommands(transaction, data.length);
    const handOver = () => {
      outcomes.handOver();
      if (this.#reading === transaction) this.#renewDeadline(transaction);
    };
    const begin = () => (outcomes.hasContent = true);
    return this.#outbox.post(commands, data, { begin, handOver });
  }

  /**
   * Sets the deadline of the current message, which starts with its turn: later messages do not
   * extend it, and earlier ones do not shorten it.
   */
  #renewDeadline({ outcomes }: Transaction): void {
    const { messageMs, afterDataMs } = this.#timeouts;
    this.#connection.renew(outcomes.isHandedOver ? afterDataMs : messageMs);
  }

  #lose(reason: ConnectionMessage): void {
    this.#lossError ??= reason;
    this.#connection.close();
  }
}
