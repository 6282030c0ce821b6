/*
 * Opens SMTP sessions: connect, greeting, EHLO (RFC 5321 section 3.1), STARTTLS (RFC 3207) and AUTH
 * (RFC 4954), within all bounds of net/connection.ts and 4 KiB per reply.
 *
 * A hostile server, or a party in between, may hide STARTTLS to get the password in plain text,
 * inject plain text before TLS starts, or present a wrong certificate. Each ends the session. It
 * may also repeat the credentials in a reply, so they are cut out of every text. Plain text is
 * possible only with a loopback host in mode "loopback".
 */
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
  type OpeningPhase,
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

/** A name that EHLO may carry: no space, no control character, no markup. */
const EHLO_NAME = /^[A-Za-z0-9.:[\]_-]{1,255}$/;

/**
 * Opens a session that is ready for mail.
 * @throws SmtpConnectError
 */
export async function openSession(
  settings: SmtpSettings,
  sockets: SocketFactory,
  timeouts: SmtpTimeouts,
): Promise<OpenedSession> {
  checkSettings(settings);
  if (settings.tls !== "loopback") return new Opening(settings, sockets, timeouts).run(true);
  try {
    return await new Opening(settings, sockets, timeouts).run(true);
  } catch (error) {
    const isTlsFault = error instanceof SmtpConnectError && error.phase === "tls";
    if (!isTlsFault) throw error;
    return new Opening(settings, sockets, timeouts).run(false);
  }
}

function checkSettings({ ehloName, tls, host, user, password }: SmtpSettings): void {
  if (!EHLO_NAME.test(ehloName)) {
    throw impossible("the name for EHLO is not a domain name", "connect");
  }
  if (`${user}${password}`.includes("\0")) {
    throw impossible("the SMTP login has a NUL character", "auth");
  }
  if (tls === "loopback" && !isLoopbackHost(host)) {
    throw impossible(`${host} is not a loopback host, so TLS is required`, "tls");
  }
}

/** One attempt. It tracks its current step, so that every error can name it. */
class Opening {
  readonly #settings: SmtpSettings;
  readonly #sockets: SocketFactory;
  readonly #timeouts: SmtpTimeouts;
  #phase: OpeningPhase = "connect";
  #doing: string;

  constructor(settings: SmtpSettings, sockets: SocketFactory, timeouts: SmtpTimeouts) {
    this.#settings = settings;
    this.#sockets = sockets;
    this.#timeouts = timeouts;
    this.#doing = `could not connect to ${settings.host}:${settings.port}`;
  }

  /** `withTls` is false only for the second attempt of mode "loopback". */
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
      if (error instanceof ConnectionError) throw brokenWhile(this.#doing, this.#phase, error);
      throw error;
    }
  }

  async #connect(withTls: boolean): Promise<Connection> {
    const { host, port, tls } = this.#settings;
    const upgradable = withTls ? "starttls" : "off";
    const transport = tls === "implicit" ? "on" : upgradable;
    const address = { hostname: host, port };
    return Connection.open(address, transport, this.#sockets, this.#timeouts.connectMs);
  }

  async #introduce(connection: Connection, withTls: boolean): Promise<Capabilities> {
    this.#expectPositive(await readReply(connection));
    const { tls } = this.#settings;
    const offers = await this.#ehlo(connection);
    if (tls === "implicit" || !withTls) return offers;
    if (tls === "loopback" && !offers.startTls) return offers;
    await this.#startTls(connection, offers);
    // Capabilities announced in plain text may be forged (RFC 3207 section 4.2).
    return this.#ehlo(connection);
  }

  async #ehlo(connection: Connection): Promise<Capabilities> {
    const reply = await ask(connection, `EHLO ${this.#settings.ehloName}`);
    this.#expectPositive(reply);
    return parseCapabilities(reply);
  }

  async #startTls(connection: Connection, offers: Capabilities): Promise<void> {
    const { host, port } = this.#settings;
    this.#enter("tls", `could not start TLS with ${host}:${port}`);
    if (!offers.startTls) {
      throw impossible(`${this.#doing}: the server does not offer STARTTLS`, "tls");
    }
    this.#expectPositive(await ask(connection, "STARTTLS"));
    await connection.startTls();
  }

  async #logIn(connection: Connection, offers: Capabilities): Promise<void> {
    const { user, password = "", host } = this.#settings;
    if (user === undefined || offers.auth.length === 0) return;
    this.#enter("auth", `could not log in to ${host}`);
    const login: Ask = (line) => ask(connection, line);
    const reply = await authenticate(login, offers.auth, { user, password });
    if (reply) this.#expectPositive(reply);
    else {
      const offered = offers.auth.join(", ");
      throw impossible(`${this.#doing}: it offers ${offered}, not PLAIN or LOGIN`, "auth");
    }
  }

  #enter(phase: OpeningPhase, doing: string): void {
    this.#phase = phase;
    this.#doing = doing;
  }

  #expectPositive(reply: SmtpReply): void {
    if (!isPositive(reply)) throw refusedByServer(this.#doing, this.#phase, reply);
  }
}

function impossible(message: string, phase: OpeningPhase): SmtpConnectError {
  return new SmtpConnectError(message, { phase, temporary: false });
}

async function ask(connection: Connection, line: string): Promise<SmtpReply> {
  await connection.write(encodeText(`${line}\r\n`));
  return readReply(connection);
}
