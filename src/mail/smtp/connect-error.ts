import { ConnectionError } from "../net/connection-error.ts";
import type { SmtpPhase } from "./message.ts";
import { describeReply, type SmtpReply } from "./reply.ts";

/** Steps in which opening a session can fail. */
export type OpeningPhase = Extract<SmtpPhase, "connect" | "tls" | "auth">;

/**
 * No session was opened, so no mail was sent. People may read `message`; `temporary` is true when
 * the same settings may work later.
 */
export class SmtpConnectError extends Error {
  readonly phase: OpeningPhase;
  readonly temporary: boolean;
  readonly reply: SmtpReply | undefined;

  constructor(
    message: string,
    facts: { phase: OpeningPhase; temporary: boolean; reply?: SmtpReply; cause?: unknown },
  ) {
    super(message, { cause: facts.cause });
    this.name = "SmtpConnectError";
    this.phase = facts.phase;
    this.temporary = facts.temporary;
    this.reply = facts.reply;
  }
}

/** Returns the error for a refusal by the server: 4yz is temporary, 5yz is not. */
export function refusedByServer(
  doing: string,
  phase: OpeningPhase,
  reply: SmtpReply,
): SmtpConnectError {
  return new SmtpConnectError(`${doing}: the server answered ${describeReply(reply)}`, {
    phase,
    reply,
    temporary: reply.code < 500,
  });
}

/** Returns the error for a broken connection: all faults but a wrong certificate are temporary. */
export function brokenWhile(
  doing: string,
  phase: OpeningPhase,
  cause: ConnectionError,
): SmtpConnectError {
  return new SmtpConnectError(`${doing}: ${cause.message}`, {
    phase,
    temporary: cause.fault !== "tls",
    cause,
  });
}

/** Ignores a lost connection that the end of the session reports itself; rethrows anything else. */
export function expectConnectionError(error: unknown): void {
  if (!(error instanceof ConnectionError)) throw error;
}
