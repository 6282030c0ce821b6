/*
 * An SMTP client session (RFC 5321) with PIPELINING (RFC 2920), SIZE (RFC 1870), 8BITMIME
 * (RFC 6152) and SMTPUTF8 (RFC 6531). If the server allows it, a message shares one write with the
 * next envelope and so costs one round trip. With CHUNKING (RFC 3030) several messages may be in
 * flight at once, see chunked-window.ts.
 *
 * A hostile server may close at any step, send malformed replies, or accept the envelope and then
 * fall silent. Every message has its own deadline and every recipient gets an outcome. The write of
 * the final dot separates what may have been delivered from what certainly was not.
 */
import type { MessageData } from "../message-data.ts";
import { type Connection } from "../net/connection.ts";
import { ConnectionError } from "../net/connection-error.ts";
import { type SocketFactory } from "../net/socket.ts";
import { askEnvelope } from "./ask-envelope.ts";
import type { Capabilities } from "./capabilities.ts";
import { ChunkedWindow } from "./chunked-window.ts";
import {
  encodeText,
  envelopeCommands,
  joinBytes,
  ONE_WRITE_BYTES_MAX,
  prepareMessage,
  type PreparedMessage,
  writeChunks,
} from "./command.ts";
import { expectConnectionError } from "./connect-error.ts";
import { FINAL_DOT, stuffDots } from "./dot-stuffing.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import { openSession, type OpeningWatch } from "./opening.ts";
import { Outcomes } from "./outcomes.ts";
import {
  isAccepted,
  isPositive,
  isRefusal,
  readReply,
  START_MAIL_INPUT,
  type SmtpReply,
  unexpected,
} from "./reply.ts";
import { readSessionReply, ServiceClosing } from "./service-closing.ts";
import type { SmtpSettings, SmtpTimeouts } from "./settings.ts";

/** A session ready for mail, for one `send` at a time. */
export class SmtpSession {
  readonly #connection: Connection;
  readonly #offers: Capabilities;
  readonly #timeouts: SmtpTimeouts;
  /** The message whose envelope went out with the previous one. */
  #announced: PreparedMessage | undefined;
  /** True when RSET must precede the next envelope: the last one led to no message. */
  #mustReset = false;
  #window: ChunkedWindow | undefined;
  #isLost = false;

  /**
   * Connects, starts TLS and logs in.
   * @throws SmtpConnectError
   */
  static async open(
    settings: SmtpSettings,
    sockets: SocketFactory,
    timeouts: SmtpTimeouts,
    watch?: OpeningWatch,
  ): Promise<SmtpSession> {
    const { connection, offers } = await openSession(settings, sockets, timeouts, watch);
    return new SmtpSession(connection, offers, timeouts);
  }

  private constructor(connection: Connection, offers: Capabilities, timeouts: SmtpTimeouts) {
    this.#connection = connection;
    this.#offers = offers;
    this.#timeouts = timeouts;
  }

  /**
   * Sends a message and returns the outcome for each recipient. Connection faults are outcomes too,
   * never exceptions. With `next`, its envelope may go out with this message; the next call must
   * then be for `next`, whatever happens to this one.
   */
  async send(message: OutgoingMessage, next?: OutgoingMessage): Promise<SendResult> {
    const announced = this.#announced;
    if (announced && announced.message !== message) {
      throw new Error("another message was announced to the server as the next one");
    }
    const outcomes = new Outcomes(message.envelope.to);
    const prepared = announced ?? prepareMessage(message, this.#offers);
    if (!this.#isUsable) outcomes.loseRest("the session has ended");
    else if (prepared.obstacle !== undefined) outcomes.rejectRest(prepared.obstacle);
    else await this.#transact(prepared, next, outcomes);
    return { recipients: outcomes.results(), sessionUsable: this.#isUsable };
  }

  /**
   * Starts sending with several messages in flight; undefined unless the server offers both
   * CHUNKING and PIPELINING. Callers use `send` again only after the window is finished.
   */
  openWindow(): ChunkedWindow | undefined {
    const { chunking, pipelining } = this.#offers;
    if (!chunking || !pipelining || this.#announced || !this.#isUsable) return undefined;
    const mustReset = this.#mustReset;
    this.#mustReset = true;
    this.#window = new ChunkedWindow(this.#connection, this.#offers, this.#timeouts, mustReset);
    return this.#window;
  }

  /** True when another message may follow: nothing is in progress, announced or unread. */
  get isIdle(): boolean {
    const isBusy = this.#announced || this.#window?.isBusy || this.#connection.hasUnread;
    return this.#isUsable && this.#connection.writable && !isBusy;
  }

  /** Listens until the next use: `isIdle` turns false when the server ends the session. */
  rest(): void {
    this.#connection.readAhead();
  }

  /**
   * Checks that the server still replies after an idle time; false when the session has ended. BDAT
   * writes a whole message before any reply, so a session that ended long ago would make the
   * message `unknown` without this check.
   */
  async revive(): Promise<boolean> {
    this.#connection.renew(this.#timeouts.connectMs);
    try {
      await this.#write("RSET\r\n");
      if (isAccepted(await this.#reply()) && this.isIdle) {
        this.#connection.pause();
        this.#mustReset = false;
        return true;
      }
    } catch (error) {
      if (!(error instanceof ServiceClosing)) expectConnectionError(error);
    }
    this.#end();
    return false;
  }

  /** Sends QUIT, waits briefly for the reply, and closes the connection in any case. */
  async quit(): Promise<void> {
    if (this.isIdle) {
      this.#connection.renew(this.#timeouts.quitMs);
      await this.#write("QUIT\r\n")
        .then(() => readReply(this.#connection))
        .catch(expectConnectionError);
    }
    this.#end();
    await this.#connection.released(this.#timeouts.quitMs);
  }

  get #isUsable(): boolean {
    return !this.#isLost && (this.#window?.isUsable ?? true);
  }

  async #transact(
    prepared: PreparedMessage,
    next: OutgoingMessage | undefined,
    outcomes: Outcomes,
  ): Promise<void> {
    this.#connection.renew(this.#timeouts.messageMs);
    try {
      const isAwaited = await this.#openEnvelope(prepared, outcomes);
      if (isAwaited) await this.#sendBody(prepared.message.data, next, outcomes);
      this.#connection.pause();
    } catch (error) {
      this.#end();
      if (error instanceof ServiceClosing) outcomes.refuseRest(error.reply);
      else if (error instanceof ConnectionError) outcomes.loseRest(error.message);
      else throw error;
    }
  }

  /** Sends MAIL, RCPT and DATA; true when the server waits for the message for somebody. */
  async #openEnvelope(prepared: PreparedMessage, outcomes: Outcomes): Promise<boolean> {
    const { pipelining } = this.#offers;
    if (pipelining && !this.#announced)
      await this.#write(envelopeCommands(prepared, this.#mustReset));
    this.#announced = undefined;
    const ask = (command: string) =>
      pipelining ? this.#reply() : this.#write(`${command}\r\n`).then(() => this.#reply());
    if (this.#mustReset) isAccepted(await ask("RSET"));
    this.#mustReset = true;

    await askEnvelope(prepared, outcomes, ask, !pipelining);
    if (!pipelining && !outcomes.open) return false;
    return this.#openData(await ask("DATA"), outcomes);
  }

  async #openData(reply: SmtpReply, outcomes: Outcomes): Promise<boolean> {
    if (reply.code !== START_MAIL_INPUT) {
      if (!isRefusal(reply)) throw unexpected(reply);
      outcomes.refuseRest(reply);
      return false;
    }
    if (outcomes.open) return true;
    // A 354 without an accepted recipient ends with an empty message (RFC 2920 section 3.1).
    await this.#connection.write(FINAL_DOT);
    await this.#reply();
    return false;
  }

  async #sendBody(
    data: MessageData,
    next: OutgoingMessage | undefined,
    outcomes: Outcomes,
  ): Promise<void> {
    const inOneWrite = data.length <= ONE_WRITE_BYTES_MAX;
    if (!inOneWrite) await writeChunks(this.#connection, stuffDots(data.chunks()));
    if (this.#connection.writable) {
      outcomes.phase = "body";
      outcomes.handOver();
      this.#mustReset = false;
      const nextEnvelope = this.#announce(next);
      this.#connection.renew(this.#timeouts.afterDataMs);
      const body = inOneWrite ? stuffDots([data.toBytes()]) : [];
      await this.#connection.write(joinBytes(...body, FINAL_DOT, encodeText(nextEnvelope)));
    }
    const reply = await this.#reply();
    if (isRefusal(reply)) outcomes.refuseRest(reply);
    else if (isPositive(reply) && outcomes.isHandedOver) outcomes.acceptRest(reply);
    else throw unexpected(reply);
  }

  /**
   * Announces the next message if the server takes its envelope behind a final dot. Returns the
   * commands.
   */
  #announce(next: OutgoingMessage | undefined): string {
    if (!next || !this.#offers.pipelining) return "";
    const prepared = prepareMessage(next, this.#offers);
    if (prepared.obstacle !== undefined) return "";
    this.#announced = prepared;
    return envelopeCommands(prepared, this.#mustReset);
  }

  async #write(text: string): Promise<void> {
    await this.#connection.write(encodeText(text));
  }

  #reply(): SmtpReply | Promise<SmtpReply> {
    return readSessionReply(this.#connection);
  }

  #end(): void {
    this.#isLost = true;
    this.#connection.close();
  }
}
