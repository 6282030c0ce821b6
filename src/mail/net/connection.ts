/*
 * A client connection over TCP or TLS for protocols with CRLF lines.
 *
 * A hostile peer may stay silent, send one byte a second, never end a line, disconnect midway, or
 * inject text before TLS starts so that it passes for a response under TLS. One absolute deadline
 * covers all reads and writes, lines and the buffer have size limits, the end of the stream is
 * always an error, and the buffer must be empty when TLS starts.
 */
import { connectionMessage } from "../../messages/connections.ts";
import { ByteBuffer } from "./byte-buffer.ts";
import { ConnectionError, lost, refused, tlsFailed } from "./connection-error.ts";
import { Deadline } from "./deadline.ts";
import type { EagerReader } from "./eager-reader.ts";
import {
  attach,
  type SecureTransport,
  type SocketFactory,
  toldElsewhere,
  upgradeToTls,
} from "./socket.ts";

/** Default maximum line length. */
const LINE_BYTES_MAX = 8_192;

const decoder = new TextDecoder();

/** A bounded connection for one reader and one writer at a time. */
export class Connection {
  readonly #hostname: string;
  #socket: Socket;
  #reader: EagerReader;
  #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #received = new ByteBuffer();
  readonly #interrupts = new Set<(error: ConnectionError) => void>();
  readonly #deadline = new Deadline((error) => void this.#fail(error));
  #failure: ConnectionError | undefined;
  #writable = true;

  /**
   * Opens a connection within `timeoutMs`; the deadline stays in force until `renew`.
   * @throws ConnectionError `refused` or `timeout`
   */
  static async open(
    address: { hostname: string; port: number },
    secureTransport: SecureTransport,
    sockets: SocketFactory,
    timeoutMs: number,
  ): Promise<Connection> {
    let connection: Connection;
    try {
      const socket = sockets(address, { secureTransport, allowHalfOpen: false });
      connection = new Connection(socket, address.hostname);
    } catch (cause) {
      throw refused(cause, secureTransport === "on");
    }
    connection.renew(timeoutMs);
    await connection.#opened((cause) => refused(cause, secureTransport === "on"));
    return connection;
  }

  private constructor(socket: Socket, hostname: string) {
    this.#hostname = hostname;
    this.#socket = socket;
    [this.#reader, this.#writer] = attach(socket);
  }

  /** False after a failed write; bytes received earlier remain readable. */
  get writable(): boolean {
    return this.#writable && !this.#failure;
  }

  /** True when received bytes are unread. */
  get hasUnread(): boolean {
    return this.#received.length > 0;
  }

  /** Moves the deadline of all pending and future operations to `timeoutMs` from now. */
  renew(timeoutMs: number): void {
    this.#deadline.renew(timeoutMs);
  }

  /** Ends the connection `timeoutMs` from now, even if `renew` sets a later deadline. */
  endAfter(timeoutMs: number): void {
    this.#deadline.endAfter(timeoutMs);
  }

  /** Suspends the deadline while the connection is idle; `renew` sets the next one. */
  pause(): void {
    this.#deadline.pause();
  }

  /**
   * Takes one received line as UTF-8, without its line end; a bare LF also ends a line. Returns
   * undefined if none is complete; use `receive` to wait for more.
   * @throws ConnectionError `protocol` for a line over `maxBytes`
   */
  takeLine(maxBytes = LINE_BYTES_MAX): string | undefined {
    const line = this.#received.takeLine();
    if ((line?.length ?? this.#received.length) > maxBytes) {
      throw this.#fail(
        new ConnectionError("protocol", connectionMessage("line_too_long", { max: maxBytes })),
      );
    }
    return line && decoder.decode(line);
  }

  /**
   * Waits for one line and takes it, as `takeLine` does.
   * @throws ConnectionError `timeout`, `closed`, or `protocol`
   */
  async readLine(maxBytes = LINE_BYTES_MAX): Promise<string> {
    for (;;) {
      const line = this.takeLine(maxBytes);
      if (line !== undefined) return line;
      await this.receive();
    }
  }

  /**
   * Waits for more bytes and buffers them.
   * @throws ConnectionError `timeout` or `closed`
   */
  async receive(): Promise<void> {
    const chunk = await this.#bounded(this.#reader.read()).catch((error: unknown) => {
      if (error instanceof ConnectionError) throw error;
      throw this.#fail(lost(error));
    });
    if (chunk.done) throw this.#fail(lost());
    this.#received.append(chunk.value);
  }

  /**
   * Reads ahead while idle, so that a disconnect or unsolicited text is detected before the next
   * use (see `writable` and `hasUnread`).
   */
  readAhead(): void {
    if (this.#failure) return;
    this.#reader.begin(
      ({ done, value }) => void (done ? this.#fail(lost()) : this.#received.append(value)),
      (error) => void this.#fail(lost(error)),
    );
  }

  /**
   * Reads exactly `count` bytes; the caller bounds `count`.
   * @throws ConnectionError `timeout` or `closed`
   */
  async readBytes(count: number): Promise<Uint8Array> {
    while (this.#received.length < count) await this.receive();
    return this.#received.take(count);
  }

  /**
   * Writes and waits until the platform has accepted the bytes. A disconnected peer, whose last
   * lines may still be unread, is reported by the next read instead (see `writable`).
   * @throws ConnectionError `timeout`
   */
  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#writable) return;
    await this.#bounded(
      this.#writer.write(bytes).catch(() => {
        this.#writable = false;
      }),
    );
  }

  /**
   * Starts TLS on a connection opened with "starttls"; the certificate must match the host name.
   * @throws ConnectionError `protocol` if unread plain text is buffered, `tls`
   */
  async startTls(): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (this.hasUnread) {
      throw this.#fail(new ConnectionError("protocol", connectionMessage("text_before_tls")));
    }
    this.#reader.releaseLock();
    this.#writer.releaseLock();
    try {
      this.#socket = upgradeToTls(this.#socket, this.#hostname);
    } catch (error) {
      throw this.#fail(tlsFailed(error));
    }
    [this.#reader, this.#writer] = attach(this.#socket);
    await this.#opened(tlsFailed);
  }

  /**
   * Closes the connection now; a pending read or write fails with `closed`. A hanging TLS handshake
   * stays allocated by the platform until the invocation ends.
   */
  close(): void {
    this.#fail(new ConnectionError("closed", connectionMessage("connection_ended")));
  }

  /** Waits until the platform has released a closed connection, for at most `timeoutMs`. */
  async released(timeoutMs: number): Promise<void> {
    const { promise: timeUp, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    await Promise.race([this.#socket.closed.catch(toldElsewhere), timeUp]);
    clearTimeout(timer);
  }

  async #opened(toError: (cause: unknown) => ConnectionError): Promise<void> {
    try {
      await this.#bounded(this.#socket.opened);
    } catch (error) {
      if (error instanceof ConnectionError) throw error;
      throw this.#fail(toError(error));
    }
  }

  /** Runs one operation under the deadline, which rejects it through `#fail`. */
  #bounded<T>(operation: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (this.#failure) reject(this.#failure);
    this.#interrupts.add(reject);
    operation.then(
      (value) => {
        this.#interrupts.delete(reject);
        return resolve(value);
      },
      (error: unknown) => {
        this.#interrupts.delete(reject);
        return reject(error);
      },
    );
    return promise;
  }

  /** Ends the connection with an error; the first error wins. */
  #fail(error: ConnectionError): ConnectionError {
    if (this.#failure) return this.#failure;
    this.#failure = error;
    this.#deadline.stop();
    for (const interrupt of this.#interrupts) interrupt(error);
    // Not awaited, because it does not settle while a connect or a write is blocked.
    this.#socket.close().catch(toldElsewhere);
    return error;
  }
}
