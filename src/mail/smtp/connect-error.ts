import {
  connectionMessage,
  type Attempt,
  type ConnectionMessage,
} from "../../messages/connections.ts";
import { ConnectionError } from "../net/connection-error.ts";
import type { SmtpPhase } from "./message.ts";
import { describeReply, type SmtpReply } from "./reply.ts";

/** Steps in which opening a session can fail. */
export type OpeningPhase = Extract<SmtpPhase, "connect" | "tls" | "auth">;

/** Steps of opening a session, in order. With implicit TLS, `connect` includes the handshake. */
export type OpeningStep = "connect" | "greeting" | "tls" | "ehlo" | "auth";

/** Progress of an attempt to open a session; `failed` builds the message of its failure. */
export interface Progress {
  failed: Attempt;
  phase: OpeningPhase;
  step: OpeningStep;
}

/**
 * No session was opened, so no mail was sent. `reason` is safe to show to users; `temporary` is
 * true if the same settings may work later.
 */
export class SmtpConnectError extends Error {
  readonly reason: ConnectionMessage;
  readonly phase: OpeningPhase;
  readonly step: OpeningStep;
  readonly temporary: boolean;
  readonly reply: SmtpReply | undefined;

  constructor(
    reason: ConnectionMessage,
    facts: {
      phase: OpeningPhase;
      step: OpeningStep;
      temporary: boolean;
      reply?: SmtpReply | undefined;
      cause?: unknown;
    },
  ) {
    super(reason.message, { cause: facts.cause });
    this.name = "SmtpConnectError";
    this.reason = reason;
    this.phase = facts.phase;
    this.step = facts.step;
    this.temporary = facts.temporary;
    this.reply = facts.reply;
  }

  /** True if the server did not even accept the connection. */
  get isRefused(): boolean {
    const { cause } = this;
    return this.temporary && cause instanceof ConnectionError && cause.fault === "refused";
  }
}

/** No session became free in time. The server was not contacted. */
export class NoFreeSession extends SmtpConnectError {
  constructor(server: string, waitMs: number, max: number) {
    const seconds = Math.round(waitMs / 1_000);
    const reason = connectionMessage("no_free_session", { server, seconds, max });
    super(reason, { phase: "connect", step: "connect", temporary: true });
  }
}

/** Returns the error for a rejection by the server: 4yz is temporary, 5yz is permanent. */
export function refusedByServer(
  { failed, phase, step }: Progress,
  reply: SmtpReply,
): SmtpConnectError {
  const reason = connectionMessage("server_answered", { reply: describeReply(reply) });
  return new SmtpConnectError(failed(reason), {
    phase,
    step,
    reply,
    temporary: reply.code < 500,
  });
}

/**
 * Returns the error for a broken connection: every fault except a wrong certificate is temporary.
 */
export function brokenWhile(
  { failed, phase, step }: Progress,
  cause: ConnectionError,
): SmtpConnectError {
  return new SmtpConnectError(failed(cause.reason), {
    phase,
    step,
    temporary: cause.fault !== "tls",
    cause,
  });
}

/**
 * Returns the error for a connection that the server closed after accepting STARTTLS. The platform
 * may report TLS as started before the handshake is complete, so this can be a failed handshake. It
 * counts as temporary, because a server that shuts down looks the same.
 */
export function closedInTls({ failed, phase, step }: Progress, closed: ConnectionError) {
  const cause = new ConnectionError("tls", connectionMessage("closed_in_tls"), {
    cause: closed,
  });
  const facts = { phase, step, temporary: true, cause };
  return new SmtpConnectError(failed(cause.reason), facts);
}

/** Ignores a lost connection that the end of the session reports; rethrows anything else. */
export function expectConnectionError(error: unknown): void {
  if (!(error instanceof ConnectionError)) throw error;
}
