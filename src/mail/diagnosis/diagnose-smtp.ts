/*
 * Sends one mail and records each step: DNS, address, connection, TLS, greeting, EHLO, login, mail.
 * A failed step comes with a remedy. A failed handshake is explained by means of a second
 * connection, and after a failure before the login the other port (465 or 587) is tried without the
 * password. The whole test takes at most `TOTAL_MS`.
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
} from "../smtp/index.ts";
import { checkReach, type Reach } from "./check-reach.ts";
import { logFailure, type Suspect, type TlsWorld } from "./log-failure.ts";
import { mailRemedy, openingRemedy } from "./remedies.ts";
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
/** The other port is not tried with less remaining time than this. */
const WORTH_STARTING_MS = 500;

const OTHER_PORTS = new Map([
  [465, { port: 587, tls: "starttls" as const }],
  [587, { port: 465, tls: "implicit" as const }],
]);

/** One test of SMTP settings. */
export class SmtpDiagnosis {
  readonly #world: DiagnosisWorld;
  readonly #log = new StepLog();
  readonly #endsAt = performance.now() + TOTAL_MS;
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
    const log = this.#log;
    const error = await checkReach(this.#world, settings, log);
    if (error)
      throw new SmtpConnectError(error, { phase: "connect", step: "connect", temporary: false });
    const session = await this.#open(settings);
    const result = await session.send(message);
    this.#world.waitUntil(sayFarewell(session));
    const [first] = result.recipients;
    if (first?.outcome === "accepted") log.succeeded("mail", said(first.reply?.text ?? ""));
    else if (first) log.failed("mail", first.reason ?? said(first.error), mailRemedy(first));
    return result;
  }

  async #open(settings: SmtpSettings): Promise<SmtpSession> {
    try {
      return await openSession(this.#world, settings, this.#log, {
        connectMs: this.#left() - SESSION_MS,
        sessionMs: SESSION_MS,
      });
    } catch (error) {
      if (!(error instanceof SmtpConnectError)) throw error;
      const [explained, alternative] = await Promise.all([
        logFailure(
          this.#world,
          this.#log,
          failureOf(error, settings),
          suspectOf(error, settings),
          this.#left(),
        ),
        error.step === "auth" ? undefined : tryOtherPort(this.#world, settings, this.#left()),
      ]);
      this.alternative = alternative;
      if (!explained) throw error;
      const { phase, step, temporary, reply } = error;
      throw new SmtpConnectError(explained, { phase, step, temporary, reply, cause: error });
    }
  }

  #left(): number {
    return this.#endsAt - performance.now();
  }
}

/** Opens a session and records its steps. */
function openSession(
  { sockets }: TlsWorld,
  settings: SmtpSettings,
  log: StepLog,
  { connectMs, sessionMs }: { connectMs: number; sessionMs: number },
): Promise<SmtpSession> {
  const timeouts = {
    connectMs: Math.max(1, connectMs),
    greetingToAuthMs: sessionMs,
    messageMs: SESSION_MS,
    afterDataMs: SESSION_MS,
    sessionMs,
    quitMs: QUIT_MS,
  };
  return SmtpSession.open(settings, sockets, timeouts, (step, found) =>
    log.succeeded(step, step === "ehlo" ? capabilities(found) : found),
  );
}

/** Tries the other port. Never sends the password to a port other than the saved one. */
async function tryOtherPort(
  world: DiagnosisWorld,
  settings: SmtpSettings,
  leftMs: number,
): Promise<Alternative | undefined> {
  const place = OTHER_PORTS.get(settings.port);
  if (!place || leftMs < WORTH_STARTING_MS) return undefined;
  const { port } = place;
  const other = { ...settings, ...place, user: undefined, password: undefined };
  const log = new StepLog();
  try {
    const connectMs = Math.min(CONNECT_MS, leftMs);
    const session = await openSession(world, other, log, { connectMs, sessionMs: leftMs });
    world.waitUntil(sayFarewell(session));
    const steps = log.steps.filter(({ step }) => step !== "auth");
    return { port, ok: true, steps, ...advice(remedyOf("use_other_port", { port: String(port) })) };
  } catch (error) {
    if (!(error instanceof SmtpConnectError)) throw error;
    const { step, reason, remedy } = failureOf(error, other);
    log.failed(step, reason, remedy);
    return { port, ok: false, steps: log.steps };
  }
}

/** Returns the failed step, with the reason without host and port, which the caller knows. */
function failureOf(error: SmtpConnectError, settings: SmtpSettings) {
  const { step, reason, cause } = error;
  const inner = reason.params?.["reason"];
  const own = typeof inner === "object" ? (inner as ConnectionMessage) : reason; // of an `Attempt`
  const remedy = openingRemedy(error, settings);
  return { step, reason: cause instanceof ConnectionError ? cause.reason : own, remedy };
}

/** A refused connection with implicit TLS may mean a rejected certificate. */
function suspectOf(
  { step, cause, temporary }: SmtpConnectError,
  { host, port, tls, ehloName }: SmtpSettings,
): Suspect | undefined {
  const fault = cause instanceof ConnectionError ? cause.fault : undefined;
  const mayBeTls =
    step === "tls"
      ? fault === "tls"
      : tls === "implicit" &&
        (step === "connect" || step === "greeting") &&
        (fault === "refused" || fault === "closed");
  if (!mayBeTls) return undefined;
  return {
    host,
    port,
    hostField: "smtp_host",
    plainTextRemedy: remedyOf("use_port_587"),
    // A server that closes the connection after TLS began may have another reason.
    isCertain: step === "connect" || !temporary,
    begin:
      tls === "implicit" ? undefined : (connection: Connection) => requestTls(connection, ehloName),
  };
}

/** Returns the lines of an EHLO response after the greeting. */
const capabilities = ({ message }: ConnectionMessage) =>
  said(message.split("\n").slice(1).join(", "));

const said = (words: string) => connectionMessage("server_said", { words });
