import { ConnectionError, type ConnectionFault } from "../net/connection-error.ts";

/**
 * The cause of an IMAP failure: a connection fault, or the server refused the `login`, the `folder`
 * or another `command`. `login_method`: the server refused it and offers other methods alone.
 */
export type ImapFault = ConnectionFault | "login" | "login_method" | "folder" | "command";

/** The only error that this folder throws; people may read `message`. */
export class ImapError extends Error {
  readonly fault: ImapFault;

  constructor(fault: ImapFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ImapError";
    this.fault = fault;
  }
}

/**
 * Runs one step and reports a connection failure in it by the name of the step.
 * @throws ImapError, and whatever else `step` throws
 */
export async function telling<T>(doing: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    throw new ImapError(error.fault, `${doing}: ${error.message}`, { cause: error });
  }
}
