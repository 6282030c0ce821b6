/*
 * Opens SMTP sessions: connect, greeting, EHLO (RFC 5321 section 3.1), STARTTLS (RFC 3207) and AUTH
 * (RFC 4954), within the limits of net/connection.ts and 4 KiB per reply.
 *
 * A hostile server or a man in the middle may hide STARTTLS to get the password in plain text,
 * inject plain text before TLS starts, or present a wrong certificate. Each ends the session. It
 * may also repeat the credentials in a reply, so they are redacted in every text. Plain text is
 * possible only with a loopback host in mode "loopback".
 */
import {
  connectionMessage,
  type Attempt,
  type ConnectionMessage,
} from "../../messages/connections.ts";
import { Connection } from "../net/connection.ts";
import { ConnectionError } from "../net/connection-error.ts";
import { type SocketFactory } from "../net/socket.ts";
import { secretHider } from "../net/hide-secrets.ts";
import { isLoopbackHost } from "../net/host-guard.ts";
import { type Ask, authenticate } from "./auth.ts";
import { type Capabilities, parseCapabilities } from "./capabilities.ts";
import { encodeText } from "./command.ts";
import {
  brokenWhile,
  closedInTls,
  type OpeningPhase,
  type OpeningStep,
  type Progress,
  refusedByServer,
  SmtpConnectError,
} from "./connect-error.ts";
import { hideInReplies, isPositive, readReply, type SmtpReply } from "./reply.ts";
import type { SmtpSettings, SmtpTimeouts } from "./settings.ts";

/** A connection ready for mail, with the server's capabilities on it. */
export interface OpenedSession {
  connection: Connection;
  offers: Capabilities;
}

/**
 * Receives each completed step with its finding, with credentials redacted. Mode "loopback" may
 * start over with `connect`.
 */
export type OpeningWatch = (step: OpeningStep, found: ConnectionMessage) => void;

/** A valid EHLO name: no space, no control character, no markup. */
const EHLO_NAME = /^[A-Za-z0-9.:[\]_-]{1,255}$/;

/**
 * Opens a session that is ready for mail.
 * @throws SmtpConnectError
 */
export async function openSession(
  settings: SmtpSettings,
  sockets: SocketFactory,
  timeouts: SmtpTimeouts,
  watch?: OpeningWatch,
): Promise<OpenedSession> {
  checkSettings(settings);
  const attempt = () => new Opening(settings, sockets, timeouts, watch);
  if (settings.tls !== "loopback") return attempt().run(true);
  try {
    return await attempt().run(true);
  } catch (error) {
    const isTlsFault = error instanceof SmtpConnectError && error.phase === "tls";
    if (!isTlsFault) throw error;
    return attempt().run(false);
  }
}

function checkSettings({ ehloName, tls, host, user, password }: SmtpSettings): void {
  if (!EHLO_NAME.test(ehloName)) {
    throw impossible(connectionMessage("ehlo_name_invalid"), "connect", "ehlo");
  }
  if (`${user}${password}`.includes("\0")) {
    throw impossible(connectionMessage("nul_in_smtp_login"), "auth", "auth");
  }
  if (tls === "loopback" && !isLoopbackHost(host)) {
    throw impossible(connectionMessage("not_loopback", { host }), "tls", "tls");
  }
}

/** One attempt. Tracks its progress, so that every error names the step. */
class Opening {
  readonly #settings: SmtpSettings;
  readonly #sockets: SocketFactory;
  readonly #timeouts: SmtpTimeouts;
  readonly #watch: OpeningWatch | undefined;
  #progress: Progress;

  constructor(
    settings: SmtpSettings,
    sockets: SocketFactory,
    timeouts: SmtpTimeouts,
    watch: OpeningWatch | undefined,
  ) {
    this.#settings = settings;
    this.#sockets = sockets;
    this.#timeouts = timeouts;
    this.#watch = watch;
    const server = `${settings.host}:${settings.port}`;
    const failed = (reason: ConnectionMessage) =>
      connectionMessage("not_connected", { server, reason });
    this.#progress = { failed, phase: "connect", step: "connect" };
  }

  /** `withTls` is false only for the second attempt in mode "loopback". */
  async run(withTls: boolean): Promise<OpenedSession> {
    let connection: Connection | undefined;
    try {
      connection = await this.#connect(withTls);
      const { user = "", password = "" } = this.#settings;
      hideInReplies(connection, secretHider(user, password));
      const { greetingToAuthMs, sessionMs } = this.#timeouts;
      if (sessionMs !== undefined) connection.endAfter(sessionMs);
      connection.renew(greetingToAuthMs);
      const offers = await this.#introduce(connection, withTls);
      await this.#logIn(connection, offers);
      connection.pause();
      return { connection, offers };
    } catch (error) {
      connection?.close();
      if (error instanceof ConnectionError) throw brokenWhile(this.#progress, error);
      throw error;
    }
  }

  async #connect(withTls: boolean): Promise<Connection> {
    const { host, port, tls } = this.#settings;
    const upgradable = withTls ? "starttls" : "off";
    const transport = tls === "implicit" ? "on" : upgradable;
    const address = { hostname: host, port };
    const { connectMs } = this.#timeouts;
    const connection = await Connection.open(address, transport, this.#sockets, connectMs);
    const found = transport === "on" ? "connected_with_tls" : "connected";
    this.#finish("connect", connectionMessage(found));
    return connection;
  }

  async #introduce(connection: Connection, withTls: boolean): Promise<Capabilities> {
    this.#progress.step = "greeting";
    const greeting = await readReply(connection);
    this.#expectPositive(greeting);
    this.#finish("greeting", said(greeting));
    const { tls } = this.#settings;
    this.#progress.step = "ehlo";
    const inClear = await this.#ehlo(connection);
    const offers = parseCapabilities(inClear);
    if (tls === "implicit" || !withTls || (tls === "loopback" && !offers.startTls)) {
      this.#finish("ehlo", said(inClear));
      return offers;
    }
    await this.#startTls(connection, offers);
    // Capabilities announced in plain text may be forged (RFC 3207 section 4.2).
    const overTls = await this.#ehloOverTls(connection);
    this.#finish("ehlo", said(overTls));
    return parseCapabilities(overTls);
  }

  async #ehlo(connection: Connection): Promise<SmtpReply> {
    const reply = await ask(connection, `EHLO ${this.#settings.ehloName}`);
    this.#expectPositive(reply);
    return reply;
  }

  async #startTls(connection: Connection, offers: Capabilities): Promise<void> {
    const server = `${this.#settings.host}:${this.#settings.port}`;
    this.#enter("tls", (reason) => connectionMessage("tls_not_started", { server, reason }));
    if (!offers.startTls) throw this.#impossible(connectionMessage("starttls_missing"));
    this.#expectPositive(await ask(connection, "STARTTLS"));
    await connection.startTls();
  }

  /** The step is `tls` until the server has responded under TLS: only that proves the handshake. */
  async #ehloOverTls(connection: Connection): Promise<SmtpReply> {
    const reply = await ask(connection, `EHLO ${this.#settings.ehloName}`).catch(
      (error: unknown) => {
        const isClosed = error instanceof ConnectionError && error.fault === "closed";
        throw isClosed ? closedInTls(this.#progress, error) : error;
      },
    );
    this.#finish("tls", connectionMessage("tls_on"));
    this.#progress.step = "ehlo";
    this.#expectPositive(reply);
    return reply;
  }

  async #logIn(connection: Connection, offers: Capabilities): Promise<void> {
    const { user, password = "", host } = this.#settings;
    if (user === undefined || offers.auth.length === 0) {
      this.#finish("auth", connectionMessage("login_skipped"));
      return;
    }
    this.#enter("auth", (reason) => connectionMessage("not_logged_in", { server: host, reason }));
    const login: Ask = (line) => ask(connection, line);
    const reply = await authenticate(login, offers.auth, { user, password });
    if (!reply) {
      const methods = offers.auth.join(", ");
      throw this.#impossible(connectionMessage("login_methods_unknown", { methods }));
    }
    this.#expectPositive(reply);
    this.#finish("auth", connectionMessage("logged_in"));
  }

  #enter(name: "tls" | "auth", failed: Attempt): void {
    this.#progress = { failed, phase: name, step: name };
  }

  #finish(step: OpeningStep, found: ConnectionMessage): void {
    this.#watch?.(step, found);
  }

  #impossible(reason: ConnectionMessage): SmtpConnectError {
    const { failed, phase, step } = this.#progress;
    return impossible(failed(reason), phase, step);
  }

  #expectPositive(reply: SmtpReply): void {
    if (!isPositive(reply)) throw refusedByServer(this.#progress, reply);
  }
}

function impossible(
  reason: ConnectionMessage,
  phase: OpeningPhase,
  step: OpeningStep,
): SmtpConnectError {
  return new SmtpConnectError(reason, { phase, step, temporary: false });
}

const said = ({ text }: SmtpReply) => connectionMessage("server_said", { words: text });

async function ask(connection: Connection, line: string): Promise<SmtpReply> {
  await connection.write(encodeText(`${line}\r\n`));
  return readReply(connection);
}
