/** One mailbox account; `port` uses implicit TLS (993, RFC 8314 section 3.2). */
export interface ImapSettings {
  host: string;
  port: number;
  user: string;
  password: string;
}

/** Time limits of a session in milliseconds. */
export interface ImapTimeouts {
  /** Until the end of the TLS handshake. */
  connectMs: number;
  /**
   * From the TLS handshake to the end of the login; servers delay the response to a wrong password.
   */
  loginMs: number;
  /** For one command including its response. */
  commandMs: number;
  /** From the end of the TLS handshake to the end of the session. */
  sessionMs: number;
  /** For LOGOUT; the connection closes with or without a response. */
  logoutMs: number;
}

/** Timeouts of a poll, which must end before the next one starts five minutes later. */
export const DEFAULT_IMAP_TIMEOUTS: ImapTimeouts = {
  connectMs: 10_000,
  loginMs: 20_000,
  commandMs: 60_000,
  sessionMs: 240_000,
  logoutMs: 1_000,
};
