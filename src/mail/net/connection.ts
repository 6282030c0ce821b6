/*
 * A line-oriented client connection over TCP or TLS, for protocols that talk in CRLF lines.
 *
 * A hostile peer may stay silent, drip one byte a second, never end a line, close in the middle,
 * or send text before TLS is on that would be taken for an answer under TLS. Against that stand:
 * one absolute deadline over all reads and writes, a cap on every line and on what is buffered,
 * an end of stream that is always an error, and a buffer that must be empty when TLS starts.
 */
import { ByteBuffer } from "./byte-buffer.ts";

/** Opens a socket; in production it is `connect` of `cloudflare:sockets`. */
export type SocketFactory = (
  address: { hostname: string; port: number },
  options: { secureTransport: SecureTransport; allowHalfOpen: false },
) => Socket;

export type SecureTransport = "on" | "off" | "starttls";

/**
 * What ended a connection: it never opened (`refused`: no route, no listener or an invalid
 * certificate, which the platform does not tell apart), TLS failed after plain text (`tls`), the
 * deadline passed (`timeout`), the peer closed (`closed`), or sent what cannot be (`protocol`).
 */
export type ConnectionFault = "refused" | "tls" | "timeout" | "closed" | "protocol";

/** The one error of this folder's connection; `message` is fit for people. */
export class ConnectionError extends Error {
  readonly fault: ConnectionFault;

  constructor(fault: ConnectionFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ConnectionError";
    this.fault = fault;
  }
}

/** Longest line accepted where the caller names no other bound. */
const LINE_BYTES_MAX = 8_192;

const decoder = new TextDecoder();

/** A bounded connection; one reader and one writer at a time. */
export class Connection {
  #socket: Socket;
  #reader: ReadableStreamDefaultReader<Uint8Array>;
  #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #received = new ByteBuffer();
  readonly #interrupts = new Set<(error: ConnectionError) => void>();
  /** When everything pending fails, on the clock of `performance`; one timer looks after it. */
  #deadline = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #end: ReturnType<typeof setTimeout> | undefined;
  #failure: ConnectionError | undefined;
  #writable = true;

  /**
   * Opens a connection within `timeoutMs`; the same deadline then holds until `renew`.
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
      connection = new Connection(sockets(address, { secureTransport, allowHalfOpen: false }));
    } catch (cause) {
      throw refused(cause);
    }
    connection.renew(timeoutMs);
    await connection.#opened("refused");
    return connection;
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    [this.#reader, this.#writer] = attach(socket);
  }

  /** False once a write has failed; what the peer said before is still to be read. */
  get writable(): boolean {
    return this.#writable && !this.#failure;
  }

  /** True when more has come than was read. */
  get hasUnread(): boolean {
    return this.#received.length > 0;
  }

  /** Moves the deadline of everything pending and to come to `timeoutMs` from now. */
  renew(timeoutMs: number): void {
    this.#deadline = performance.now() + timeoutMs;
    if (this.#deadline < this.#timerAt) this.#watch(timeoutMs);
  }

  /** Ends the connection `timeoutMs` from now, whatever `renew` says in between. */
  endAfter(timeoutMs: number): void {
    this.#end = setTimeout(() => {
      this.#fail(new ConnectionError("timeout", "the session took too long"));
    }, timeoutMs);
  }

  /** Takes the deadline away while nothing is read or written; `renew` sets the next one. */
  pause(): void {
    this.#deadline = Number.POSITIVE_INFINITY;
  }

  /**
   * Takes one line that has come, without its line end, as UTF-8; a bare LF ends a line too.
   * Undefined while none is complete: `receive` waits for more.
   * @throws ConnectionError `protocol` for a line over `maxBytes`
   */
  takeLine(maxBytes = LINE_BYTES_MAX): string | undefined {
    const line = this.#received.takeLine();
    if ((line?.length ?? this.#received.length) > maxBytes) {
      throw this.#fail(new ConnectionError("protocol", `a line is over ${maxBytes} bytes`));
    }
    return line && decoder.decode(line);
  }

  /**
   * Reads one line, as `takeLine` does.
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
   * Waits for more bytes, and keeps them to be taken.
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
   * Reads exactly `count` bytes; the caller bounds `count`.
   * @throws ConnectionError `timeout` or `closed`
   */
  async readBytes(count: number): Promise<Uint8Array> {
    while (this.#received.length < count) await this.receive();
    return this.#received.take(count);
  }

  /**
   * Writes and waits until the platform has taken the bytes. A peer that is gone is not reported
   * here: its last words may still be unread, and the next read tells (see `writable`).
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
   * Turns TLS on, on a connection opened with "starttls"; the certificate must fit the host name.
   * @throws ConnectionError `protocol` when bytes arrived that were sent in plain text, `tls`
   */
  async startTls(): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (this.hasUnread) {
      throw this.#fail(new ConnectionError("protocol", "text came before TLS was on"));
    }
    this.#reader.releaseLock();
    this.#writer.releaseLock();
    this.#socket = this.#socket.startTls();
    [this.#reader, this.#writer] = attach(this.#socket);
    await this.#opened("tls");
  }

  /**
   * Ends the connection now; a pending read or write fails with `closed`. A TLS handshake that
   * hangs is the one thing the platform does not let go of before the invocation ends.
   */
  close(): void {
    this.#fail(new ConnectionError("closed", "the connection was closed"));
  }

  /** Waits until the platform has let go of a closed connection, `timeoutMs` at most. */
  async released(timeoutMs: number): Promise<void> {
    const { promise: timeUp, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    await Promise.race([this.#socket.closed.catch(toldElsewhere), timeUp]);
    clearTimeout(timer);
  }

  async #opened(fault: "refused" | "tls"): Promise<void> {
    try {
      await this.#bounded(this.#socket.opened);
    } catch (error) {
      if (error instanceof ConnectionError) throw error;
      throw this.#fail(fault === "tls" ? tlsFailed(error) : refused(error));
    }
  }

  /**
   * Makes a timer that goes off at the deadline. Deadlines mostly move on, several times a message:
   * the timer stays as it is then, and when it goes off early is set anew for what is left.
   */
  #watch(timeoutMs: number): void {
    clearTimeout(this.#timer);
    this.#timerAt = Number.POSITIVE_INFINITY;
    if (this.#failure || this.#deadline === Number.POSITIVE_INFINITY) return;
    this.#timerAt = this.#deadline;
    this.#timer = setTimeout(() => {
      const leftMs = this.#deadline - performance.now();
      if (leftMs > 0) this.#watch(leftMs);
      else this.#fail(new ConnectionError("timeout", "no answer in time"));
    }, timeoutMs);
  }

  /** Runs one operation under the deadline; `#fail` interrupts it. */
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

  /** Ends the connection for a reason; the first reason stays. */
  #fail(error: ConnectionError): ConnectionError {
    if (this.#failure) return this.#failure;
    this.#failure = error;
    clearTimeout(this.#timer);
    clearTimeout(this.#end);
    for (const interrupt of this.#interrupts) interrupt(error);
    // Never awaited: it does not settle while a connect or a write is blocked.
    this.#socket.close().catch(toldElsewhere);
    return error;
  }
}

/** Locks both streams; every promise a dying socket rejects must have a handler. */
function attach(
  socket: Socket,
): [ReadableStreamDefaultReader<Uint8Array>, WritableStreamDefaultWriter<Uint8Array>] {
  const reader = (socket.readable as ReadableStream<Uint8Array>).getReader();
  const writer = (socket.writable as WritableStream<Uint8Array>).getWriter();
  for (const promise of [socket.opened, socket.closed, reader.closed, writer.closed]) {
    promise.catch(toldElsewhere);
  }
  return [reader, writer];
}

/** For rejections that the pending read, write or open reports in its own words. */
function toldElsewhere(): undefined {
  return undefined;
}

function refused(cause: unknown): ConnectionError {
  return new ConnectionError(
    "refused",
    "the connection was refused or the TLS certificate is not valid for that name",
    { cause },
  );
}

function tlsFailed(cause: unknown): ConnectionError {
  return new ConnectionError("tls", "the TLS certificate is not valid for that name", { cause });
}

function lost(cause?: unknown): ConnectionError {
  return new ConnectionError("closed", "the server closed the connection", { cause });
}
