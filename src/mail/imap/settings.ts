/** One mailbox account; `port` is one of implicit TLS (993, RFC 8314 section 3.2). */
export interface ImapSettings {
  host: string;
  port: number;
  user: string;
  password: string;
}

/** Bounds of a session in milliseconds. */
export interface ImapTimeouts {
  /** To the end of the TLS handshake. */
  connectMs: number;
  /** From there to the end of the login; servers delay the answer to a wrong password. */
  loginMs: number;
  /** One command with all of its answer. */
  commandMs: number;
  /** From the end of the TLS handshake to the end of the session. */
  sessionMs: number;
  /** For a farewell; the connection is closed whether it is answered or not. */
  logoutMs: number;
}

/** Bounds for a poll that is to end before the next one begins, five minutes later. */
export const DEFAULT_IMAP_TIMEOUTS: ImapTimeouts = {
  connectMs: 10_000,
  loginMs: 20_000,
  commandMs: 60_000,
  sessionMs: 240_000,
  logoutMs: 1_000,
};

/** Bounds for a test of the settings, while somebody waits for its answer. */
export const TEST_IMAP_TIMEOUTS: ImapTimeouts = {
  connectMs: 5_000,
  loginMs: 8_000,
  commandMs: 10_000,
  sessionMs: 15_000,
  logoutMs: 1_000,
};
