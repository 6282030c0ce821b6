import type { Attempt, ConnectionMessage } from "../../messages/connections.ts";
import { ConnectionError, type ConnectionFault } from "../net/connection-error.ts";

/**
 * Cause of an IMAP failure: a connection fault, or the server's rejection of the `login`, the
 * `folder` or another `command`. `login_method`: the server rejected the login and offers only
 * other methods.
 */
export type ImapFault = ConnectionFault | "login" | "login_method" | "folder" | "command";

/** The only error that this folder throws; `reason` is safe to show to users. */
export class ImapError extends Error {
  readonly fault: ImapFault;
  readonly reason: ConnectionMessage;

  constructor(fault: ImapFault, reason: ConnectionMessage, options?: ErrorOptions) {
    super(reason.message, options);
    this.name = "ImapError";
    this.fault = fault;
    this.reason = reason;
  }
}

/**
 * Runs one step and converts a connection failure in it into the failure of the step.
 * @throws ImapError, and whatever else `step` throws
 */
export async function telling<T>(failed: Attempt, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    throw new ImapError(error.fault, failed(error.reason), { cause: error });
  }
}
