import { ConnectionError } from "../net/connection-error.ts";
import type { SmtpPhase } from "./message.ts";
import { describeReply, type SmtpReply } from "./reply.ts";

/** Steps in which opening a session can fail. */
export type OpeningPhase = Extract<SmtpPhase, "connect" | "tls" | "auth">;

/** The steps of opening a session in order. With implicit TLS, `connect` includes the handshake. */
export type OpeningStep = "connect" | "greeting" | "tls" | "ehlo" | "auth";

/** The progress of an attempt to open a session; `doing` begins its error message. */
export interface Progress {
  doing: string;
  phase: OpeningPhase;
  step: OpeningStep;
}

/**
 * No session was opened, so no mail was sent. People may read `message`; `temporary` is true when
 * the same settings may work later.
 */
export class SmtpConnectError extends Error {
  readonly phase: OpeningPhase;
  readonly step: OpeningStep;
  readonly temporary: boolean;
  readonly reply: SmtpReply | undefined;

  constructor(
    message: string,
    facts: {
      phase: OpeningPhase;
      step: OpeningStep;
      temporary: boolean;
      reply?: SmtpReply | undefined;
      cause?: unknown;
    },
  ) {
    super(message, { cause: facts.cause });
    this.name = "SmtpConnectError";
    this.phase = facts.phase;
    this.step = facts.step;
    this.temporary = facts.temporary;
    this.reply = facts.reply;
  }

  /** True if the server did not even take the connection. */
  get isRefused(): boolean {
    const { cause } = this;
    return this.temporary && cause instanceof ConnectionError && cause.fault === "refused";
  }
}

/** No session became free in time. The server was not asked. */
export class NoFreeSession extends SmtpConnectError {
  constructor(server: string, waitMs: number, most: number) {
    const message =
      `no session with ${server} became free within ${Math.round(waitMs / 1_000)} seconds, ` +
      `and this project may open no more than ${most}`;
    super(message, { phase: "connect", step: "connect", temporary: true });
  }
}

/** Returns the error for a refusal by the server: 4yz is temporary, 5yz is not. */
export function refusedByServer(
  { doing, phase, step }: Progress,
  reply: SmtpReply,
): SmtpConnectError {
  return new SmtpConnectError(`${doing}: the server answered ${describeReply(reply)}`, {
    phase,
    step,
    reply,
    temporary: reply.code < 500,
  });
}

/** Returns the error for a broken connection: all faults but a wrong certificate are temporary. */
export function brokenWhile(
  { doing, phase, step }: Progress,
  cause: ConnectionError,
): SmtpConnectError {
  return new SmtpConnectError(`${doing}: ${cause.message}`, {
    phase,
    step,
    temporary: cause.fault !== "tls",
    cause,
  });
}

/**
 * Returns the error for a connection that the server closed after it agreed to STARTTLS. The
 * platform may report TLS as started before the handshake is over, so a failed handshake looks like
 * this too. It is temporary, because a server that stops looks the same.
 */
export function closedInTls({ doing, phase, step }: Progress, closed: ConnectionError) {
  const cause = new ConnectionError("tls", "the server closed the connection when TLS began", {
    cause: closed,
  });
  const facts = { phase, step, temporary: true, cause };
  return new SmtpConnectError(`${doing}: ${cause.message}`, facts);
}

/** Ignores a lost connection that the end of the session reports itself; rethrows anything else. */
export function expectConnectionError(error: unknown): void {
  if (!(error instanceof ConnectionError)) throw error;
}
