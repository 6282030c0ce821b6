import { ConnectionError } from "../net/connection.ts";
import type { SmtpPhase } from "./message.ts";
import { describeReply, type SmtpReply } from "./reply.ts";

/** The steps in which opening a session can fail. */
export type OpeningPhase = Extract<SmtpPhase, "connect" | "tls" | "auth">;

/**
 * No session came about, so no mail was sent. `message` is for people; `temporary` tells whether
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

/** The error for a refusal by the server: 4yz is temporary, 5yz is not. */
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

/** The error for a connection that broke: all such faults are temporary but a wrong certificate. */
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

/** For what the end of a session tells in its own words; anything but a lost connection is thrown. */
export function expectConnectionError(error: unknown): void {
  if (!(error instanceof ConnectionError)) throw error;
}
