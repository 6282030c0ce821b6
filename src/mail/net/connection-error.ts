import { connectionMessage, type ConnectionMessage } from "../../messages/connections.ts";

/**
 * Why a connection ended.
 * - `refused`: it never opened (no route, no listener or an invalid certificate, which the platform
 *   does not distinguish).
 * - `tls`: TLS failed after plain text.
 * - `timeout`: the deadline passed.
 * - `closed`: the peer closed it.
 * - `protocol`: the peer violated the protocol.
 */
export type ConnectionFault = "refused" | "tls" | "timeout" | "closed" | "protocol";

/** The only error that a connection throws; `reason` is safe to show to users. */
export class ConnectionError extends Error {
  readonly fault: ConnectionFault;
  readonly reason: ConnectionMessage;

  constructor(fault: ConnectionFault, reason: ConnectionMessage, options?: ErrorOptions) {
    super(reason.message, options);
    this.name = "ConnectionError";
    this.fault = fault;
    this.reason = reason;
  }
}

/**
 * Returns the error of a connection that never opened. The platform does not distinguish a refused
 * connection from a rejected certificate.
 */
export function refused(cause: unknown, withTls: boolean): ConnectionError {
  const code = withTls ? "refused_or_certificate" : "refused";
  return new ConnectionError("refused", connectionMessage(code), { cause });
}

/** Returns the error of a failed TLS handshake after plain text. */
export function tlsFailed(cause: unknown): ConnectionError {
  return new ConnectionError("tls", connectionMessage("tls_failed"), { cause });
}

/** Returns the error of a connection that the peer closed. */
export function lost(cause?: unknown): ConnectionError {
  return new ConnectionError("closed", connectionMessage("closed"), { cause });
}
