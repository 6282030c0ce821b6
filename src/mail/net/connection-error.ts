/**
 * The cause of a connection's end.
 * - `refused`: it never opened (no route, no listener or an invalid certificate, which the platform
 *   reports alike).
 * - `tls`: TLS failed after plain text.
 * - `timeout`: the deadline passed.
 * - `closed`: the peer closed it.
 * - `protocol`: the peer broke the protocol.
 */
export type ConnectionFault = "refused" | "tls" | "timeout" | "closed" | "protocol";

/** The only error that a connection throws; people may read `message`. */
export class ConnectionError extends Error {
  readonly fault: ConnectionFault;

  constructor(fault: ConnectionFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ConnectionError";
    this.fault = fault;
  }
}

/**
 * Returns the error of a connection that never opened. The platform does not tell a refused
 * connection from a rejected certificate.
 */
export function refused(cause: unknown, withTls: boolean): ConnectionError {
  const certificate = withTls ? " or the TLS certificate is not valid for that name" : "";
  return new ConnectionError("refused", `the connection was refused${certificate}`, { cause });
}

/** Returns the error of a failed TLS handshake after plain text. */
export function tlsFailed(cause: unknown): ConnectionError {
  return new ConnectionError(
    "tls",
    "the TLS handshake failed or the certificate is not valid for that name",
    { cause },
  );
}

/** Returns the error of a connection that the peer closed. */
export function lost(cause?: unknown): ConnectionError {
  return new ConnectionError("closed", "the server closed the connection", { cause });
}
