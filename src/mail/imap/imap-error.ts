import { ConnectionError, type ConnectionFault } from "../net/connection.ts";

/**
 * Why IMAP did not work: the connection's faults, the server refused the `login`, it did not open
 * the `folder`, or it refused another `command`.
 */
export type ImapFault = ConnectionFault | "login" | "folder" | "command";

/** The one error of this folder; `message` is fit for people. */
export class ImapError extends Error {
  readonly fault: ImapFault;

  constructor(fault: ImapFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ImapError";
    this.fault = fault;
  }
}

/**
 * Runs one step; a connection that breaks in it is told as what was being done.
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
