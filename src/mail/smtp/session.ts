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
import { connectionMessage } from "../../messages/connections.ts";
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
import { decideByDot, openData } from "./data-transaction.ts";
import { FINAL_DOT, stuffDots } from "./dot-stuffing.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import { type OpenedSession, openSession, type OpeningWatch } from "./opening.ts";
import { Outcomes } from "./outcomes.ts";
import { isAccepted, readReply, type SmtpReply } from "./reply.ts";
import { readSessionReply, ServiceClosing } from "./service-closing.ts";
import { habitsOf } from "./server-habits.ts";
import { SessionLoad } from "./session-load.ts";
import type { SmtpSettings, SmtpTimeouts } from "./settings.ts";

/** Returns the message that follows, if there is one. */
type TakeNext = () => OutgoingMessage | undefined;

/** A session ready for mail; allows one `send` at a time. */
export class SmtpSession {
  readonly #connection: Connection;
  readonly #offers: Capabilities;
  readonly #timeouts: SmtpTimeouts;
  readonly #load: SessionLoad;
  /** The message whose envelope was pipelined with the previous one. */
  #announced: PreparedMessage | undefined;
  /** True if RSET must precede the next envelope, because the last one led to no message. */
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
    const opened = await openSession(settings, sockets, timeouts, watch);
    return new SmtpSession(opened, timeouts, new SessionLoad(habitsOf(settings)));
  }

  private constructor(opened: OpenedSession, timeouts: SmtpTimeouts, load: SessionLoad) {
    this.#connection = opened.connection;
    this.#offers = opened.offers;
    this.#timeouts = timeouts;
    this.#load = load;
  }

  /**
   * Sends a message and returns the outcome for each recipient. Connection faults are outcomes,
   * never exceptions. If the next envelope may be pipelined with this message, `takeNext` is called
   * with its last write; the next call must then be for the message that it returned, if any.
   */
  async send(message: OutgoingMessage, takeNext: TakeNext = () => undefined): Promise<SendResult> {
    const announced = this.#announced;
    if (announced && announced.message !== message) {
      throw new Error("another message was announced to the server as the next one");
    }
    const outcomes = new Outcomes(message.envelope.to);
    const prepared = announced ?? prepareMessage(message, this.#offers);
    if (!this.#isAlive) outcomes.loseRest(connectionMessage("session_ended"));
    else if (prepared.obstacle !== undefined) outcomes.rejectRest(prepared.obstacle);
    else await this.#transact(prepared, takeNext, outcomes);
    return { recipients: outcomes.results(), sessionUsable: this.#isUsable };
  }

  /**
   * Returns the window of several messages in flight; undefined unless the server offers both
   * CHUNKING and PIPELINING. Callers use `send` again only while nothing is in flight.
   */
  openWindow(): ChunkedWindow | undefined {
    const { chunking, pipelining } = this.#offers;
    if (!chunking || !pipelining || this.#announced || !this.#isUsable) return undefined;
    const mustReset = this.#mustReset;
    this.#mustReset = true;
    const session = [this.#connection, this.#offers, this.#timeouts, this.#load] as const;
    return (this.#window ??= new ChunkedWindow(...session, mustReset));
  }

  /** True if another message may follow: nothing is in progress, announced or unread. */
  get isIdle(): boolean {
    return this.#isQuiet && this.#load.hasRoomFor(1);
  }

  get #isQuiet(): boolean {
    const isBusy = this.#announced || this.#window?.isBusy || this.#connection.hasUnread;
    return this.#isAlive && this.#connection.writable && !isBusy;
  }

  /** Watches the idle connection: `isIdle` turns false when the server ends the session. */
  rest(): void {
    this.#connection.readAhead();
  }

  /**
   * Checks that the server still responds after an idle period; false if the session has ended.
   * BDAT writes a whole message before any reply, so without this check, a session that ended long
   * ago would make the message `unknown`.
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
    if (this.#isQuiet) {
      this.#connection.renew(this.#timeouts.quitMs);
      await this.#write("QUIT\r\n")
        .then(() => readReply(this.#connection))
        .catch(expectConnectionError);
    }
    this.#load.stopTrying();
    this.#end();
    await this.#connection.released(this.#timeouts.quitMs);
  }

  get #isAlive(): boolean {
    return !this.#isLost && (this.#window?.isAlive ?? true);
  }

  /** True while the session may carry the announced message, or any other. */
  get #isUsable(): boolean {
    return this.#isAlive && (this.#announced !== undefined || this.#load.hasRoomFor(1));
  }

  async #transact(
    prepared: PreparedMessage,
    takeNext: TakeNext,
    outcomes: Outcomes,
  ): Promise<void> {
    const { messageMs, connectMs } = this.#timeouts;
    this.#connection.renew(this.#load.isTrying ? Math.min(connectMs, messageMs) : messageMs);
    try {
      const isAwaited = await this.#openEnvelope(prepared, outcomes);
      if (isAwaited) await this.#sendBody(prepared.message.data, takeNext, outcomes);
      this.#load.count(outcomes);
      this.#connection.pause();
    } catch (error) {
      this.#load.lose(error instanceof ConnectionError && error.fault === "timeout");
      this.#end();
      if (error instanceof ServiceClosing) outcomes.refuseRest(error.reply);
      else if (error instanceof ConnectionError) outcomes.loseRest(error.reason);
      else throw error;
    }
  }

  /**
   * Sends MAIL, RCPT and DATA; true if the server expects the message for at least one recipient.
   */
  async #openEnvelope(prepared: PreparedMessage, outcomes: Outcomes): Promise<boolean> {
    const { pipelining } = this.#offers;
    if (pipelining && !this.#announced)
      await this.#write(envelopeCommands(prepared, this.#mustReset));
    this.#announced = undefined;
    const ask = (command: string) =>
      pipelining ? this.#reply() : this.#write(`${command}\r\n`).then(() => this.#reply());
    if (this.#mustReset) isAccepted(await ask("RSET"));
    this.#mustReset = true;

    const endsSession = (reply: SmtpReply) => this.#load.hearsItsEnd(reply);
    await askEnvelope(prepared, outcomes, ask, endsSession, !pipelining);
    if (!pipelining && !outcomes.open) return false;
    return openData(this.#connection, outcomes, await ask("DATA"));
  }

  async #sendBody(data: MessageData, takeNext: TakeNext, outcomes: Outcomes): Promise<void> {
    const inOneWrite = data.length <= ONE_WRITE_BYTES_MAX;
    if (!inOneWrite) await writeChunks(this.#connection, stuffDots(data.chunks()));
    if (this.#connection.writable) {
      outcomes.phase = "body";
      outcomes.handOver();
      this.#mustReset = false;
      const nextEnvelope = this.#announce(takeNext);
      this.#connection.renew(this.#timeouts.afterDataMs);
      const body = inOneWrite ? stuffDots([data.toBytes()]) : [];
      await this.#connection.write(joinBytes(...body, FINAL_DOT, encodeText(nextEnvelope)));
    }
    decideByDot(outcomes, await this.#reply());
  }

  /**
   * Announces the next message if the server accepts, or may accept, an envelope behind a final
   * dot. Returns the commands.
   */
  #announce(takeNext: TakeNext): string {
    if (!this.#offers.pipelining || !this.#load.mayWriteBehindDot) return "";
    const next = takeNext();
    const prepared = next && prepareMessage(next, this.#offers);
    if (!prepared || prepared.obstacle !== undefined) return "";
    this.#load.writeBehindDot();
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
