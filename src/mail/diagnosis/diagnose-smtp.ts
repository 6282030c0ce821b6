/*
 * Sends one mail and records each step: DNS, address, connection, TLS, greeting, EHLO, login, mail.
 * A failed step comes with a remedy. A failed handshake is explained by means of a second
 * connection, and the other port (465 or 587) is tried in parallel without the password. The whole
 * test takes at most `TOTAL_MS`.
 */
import { connectionMessage, type ConnectionMessage } from "../../messages/connections.ts";
import { remedyOf } from "../../messages/remedies.ts";
import type { Connection } from "../net/connection.ts";
import { ConnectionError } from "../net/connection-error.ts";
import {
  type OutgoingMessage,
  requestTls,
  sayFarewell,
  type SendResult,
  SmtpConnectError,
  SmtpSession,
  type SmtpSettings,
  type SmtpTimeouts,
} from "../smtp/index.ts";
import { checkReach, type Reach } from "./check-reach.ts";
import { investigateTls, type TlsWorld } from "./investigate-tls.ts";
import { IMPLICIT_TLS_PORT, mailRemedy, openingRemedy, STARTTLS_PORT } from "./smtp-remedies.ts";
import { advice, type Step, StepLog } from "./step-log.ts";

/** External dependencies of the diagnosis. */
export interface DiagnosisWorld extends Reach, TlsWorld {
  /** Keeps the invocation alive until `work` ends. */
  waitUntil: (work: Promise<unknown>) => void;
}

/** The other port of the same host, tested up to EHLO without a login. */
export type Alternative = { port: number; ok: boolean; steps: Step[] } & Pick<
  Step,
  "remedy" | "remedy_code" | "remedy_params"
>;

/** Limits of API reference §9.3. The DNS lookup counts as connecting. */
const CONNECT_MS = 5_000;
const SESSION_MS = 10_000;
const TOTAL_MS = CONNECT_MS + SESSION_MS;
const QUIT_MS = 500;
/** If the first port has not responded after this time, the other port is tried in parallel. */
const HANGS_AFTER_MS = 1_000;
/** No step starts with less remaining time than this. */
const WORTH_STARTING_MS = 500;
/** Minimum time for connecting to the other port if the first one fails late. */
const WORTH_CONNECTING_MS = 2_000;

/** One test of SMTP settings. */
export class SmtpDiagnosis {
  readonly #world: DiagnosisWorld;
  readonly #log = new StepLog();
  readonly #startedAt = performance.now();
  alternative: Alternative | undefined;

  constructor(world: DiagnosisWorld) {
    this.#world = world;
  }

  get steps(): Step[] {
    return this.#log.steps;
  }

  /**
   * Sends a message. QUIT continues in the background.
   * @throws SmtpConnectError if no session was opened; its message includes the explanation
   */
  async send(settings: SmtpSettings, message: OutgoingMessage): Promise<SendResult> {
    await this.#requireReach(settings);
    const session = await this.#open(settings);
    const result = await session.send(message);
    this.#world.waitUntil(sayFarewell(session));
    const [first] = result.recipients;
    if (first?.outcome === "accepted") this.#log.succeeded("mail", said(first.reply?.text ?? ""));
    else if (first) this.#log.failed("mail", first.reason ?? said(first.error), mailRemedy(first));
    return result;
  }

  async #requireReach({ host, port }: SmtpSettings): Promise<void> {
    const reason = await checkReach(this.#world, host, this.#log);
    if (reason === undefined) return;
    const error = connectionMessage("not_connected", { server: `${host}:${port}`, reason });
    throw new SmtpConnectError(error, { phase: "connect", step: "connect", temporary: false });
  }

  async #open(settings: SmtpSettings): Promise<SmtpSession> {
    const timeouts = this.#timeouts(CONNECT_MS - this.#elapsed(), SESSION_MS);
    const opening = SmtpSession.open(settings, this.#world.sockets, timeouts, (step, found) =>
      this.#log.succeeded(step, step === "ehlo" ? capabilities(found) : found),
    );
    const otherPort = this.#tryOtherPort(settings, opening);
    this.#world.waitUntil(otherPort);
    try {
      return await opening;
    } catch (error) {
      if (!(error instanceof SmtpConnectError)) throw error;
      const isBeforeLogin = error.step !== "auth";
      const explained = await this.#explain(settings, error);
      if (isBeforeLogin) this.alternative = await otherPort;
      throw explained;
    }
  }

  /** Records the failed step and returns the error with its explanation. */
  async #explain(settings: SmtpSettings, error: SmtpConnectError): Promise<SmtpConnectError> {
    this.#log.failed(error.step, reasonOf(error), openingRemedy(error, settings));
    if (!isTlsFault(error, settings)) return error;
    const { host, port, tls, ehloName } = settings;
    const suspect = {
      host,
      port,
      hostField: "smtp_host",
      plainTextRemedy: remedyOf("use_port_587"),
      // A server that closes the connection after TLS began may have another reason.
      isCertain: error.step === "connect" || !error.temporary,
      ...(tls === "implicit"
        ? {}
        : { begin: (connection: Connection) => requestTls(connection, ehloName) }),
    };
    const reason = await investigateTls(this.#world, suspect, this.#log, this.#left());
    if (reason === undefined) return error;
    const { phase, step, temporary, reply } = error;
    return new SmtpConnectError(reason, { phase, step, temporary, reply, cause: error });
  }

  /**
   * Tries the other port if the first one failed before the login or does not respond. Never sends
   * the password to a port other than the saved one.
   */
  async #tryOtherPort(
    settings: SmtpSettings,
    opening: Promise<unknown>,
  ): Promise<Alternative | undefined> {
    const port = otherPortOf(settings.port);
    if (port === undefined || !(await isLate(opening)) || this.#log.hasPassed("ehlo"))
      return undefined;
    const leftMs = this.#left();
    if (leftMs < WORTH_STARTING_MS) return undefined;
    const other: SmtpSettings = {
      ...settings,
      port,
      tls: port === IMPLICIT_TLS_PORT ? "implicit" : "starttls",
      user: undefined,
      password: undefined,
    };
    const log = new StepLog();
    // If this port also times out, the test takes no longer than for the first one.
    const connectMs = Math.min(leftMs, Math.max(WORTH_CONNECTING_MS, CONNECT_MS - this.#elapsed()));
    const timeouts = this.#timeouts(connectMs, leftMs);
    try {
      const session = await SmtpSession.open(
        other,
        this.#world.sockets,
        timeouts,
        (step, found) => {
          if (step !== "auth") log.succeeded(step, step === "ehlo" ? capabilities(found) : found);
        },
      );
      this.#world.waitUntil(sayFarewell(session));
      const remedy = remedyOf("use_other_port", { port: String(port) });
      return { port, ok: true, steps: log.steps, ...advice(remedy) };
    } catch (error) {
      if (!(error instanceof SmtpConnectError)) throw error;
      log.failed(error.step, reasonOf(error), openingRemedy(error, other));
      return { port, ok: false, steps: log.steps };
    }
  }

  #timeouts(connectMs: number, sessionMs: number): SmtpTimeouts {
    return {
      connectMs: Math.max(1, connectMs),
      greetingToAuthMs: sessionMs,
      messageMs: SESSION_MS,
      afterDataMs: SESSION_MS,
      sessionMs,
      quitMs: QUIT_MS,
    };
  }

  #elapsed(): number {
    return performance.now() - this.#startedAt;
  }

  #left(): number {
    return TOTAL_MS - this.#elapsed();
  }
}

/** Resolves to true if `opening` failed, or has not ended after a while. */
async function isLate(opening: Promise<unknown>): Promise<boolean> {
  const { promise: timeUp, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), HANGS_AFTER_MS);
  const ended = opening.then(
    () => false,
    () => true,
  );
  const isLate = await Promise.race([ended, timeUp]);
  clearTimeout(timer);
  return isLate;
}

/** A refused connection with implicit TLS may mean a rejected certificate. */
function isTlsFault({ step, cause }: SmtpConnectError, { tls }: SmtpSettings): boolean {
  if (!(cause instanceof ConnectionError)) return false;
  if (step === "tls") return cause.fault === "tls";
  const isPossible = cause.fault === "refused" || cause.fault === "closed";
  return tls === "implicit" && isPossible && (step === "connect" || step === "greeting");
}

/** Returns the reason without host and port, which the caller knows. */
function reasonOf({ reason, cause }: SmtpConnectError): ConnectionMessage {
  if (cause instanceof ConnectionError) return cause.reason;
  const inner = reason.params?.["reason"];
  return typeof inner === "object" ? (inner as ConnectionMessage) : reason; // of an `Attempt`
}

function otherPortOf(port: number): number | undefined {
  if (port === IMPLICIT_TLS_PORT) return STARTTLS_PORT;
  return port === STARTTLS_PORT ? IMPLICIT_TLS_PORT : undefined;
}

/** Returns the lines of an EHLO response after the greeting. */
const capabilities = ({ message }: ConnectionMessage) =>
  said(message.split("\n").slice(1).join(", "));

const said = (words: string) => connectionMessage("server_said", { words });
