import { isLoopbackHost } from "../net/host-guard.ts";

/**
 * Protection of a session: TLS from the first byte, mandatory STARTTLS, or, for a loopback host
 * only, STARTTLS where it works and plain text elsewhere.
 */
export type TlsMode = "implicit" | "starttls" | "loopback";

/** One SMTP account; `ehloName` is a domain name or an address literal, never an empty string. */
export interface SmtpSettings {
  host: string;
  port: number;
  user: string | undefined;
  password: string | undefined;
  ehloName: string;
  tls: TlsMode;
  /**
   * Set if a project has two servers: the fallback takes what the first cannot send (decision D11).
   */
  role?: "first" | "fallback";
}

/** Returns equal keys for equal settings, so that a session is never shared between logins. */
export function accountOf(settings: SmtpSettings): string {
  const { host, port, user, password, ehloName, tls } = settings;
  const known = accounts.get(settings);
  if (known !== undefined) return known;
  const account = JSON.stringify({ host, port, user, password, ehloName, tls });
  accounts.set(settings, account);
  return account;
}

const accounts = new WeakMap<SmtpSettings, string>();

/** Time limits of a session in milliseconds. */
export interface SmtpTimeouts {
  /** Until the socket is open (with implicit TLS: until the end of its handshake). */
  connectMs: number;
  /** From the greeting to the end of AUTH, including a STARTTLS handshake. */
  greetingToAuthMs: number;
  /** From the start of a message to its final dot, for each message. */
  messageMs: number;
  /**
   * From the final dot to its reply; servers filter content in that time (RFC 5321 section
   * 4.5.3.2.6).
   */
  afterDataMs: number;
  /** From the open connection to the end of the session, if the whole session is limited. */
  sessionMs?: number;
  /** For QUIT; the connection closes with or without a reply. */
  quitMs: number;
}

/** Timeouts for regular sending. */
export const DEFAULT_SMTP_TIMEOUTS: SmtpTimeouts = {
  connectMs: 5_000,
  greetingToAuthMs: 10_000,
  messageMs: 30_000,
  afterDataMs: 60_000,
  quitMs: 500,
};

const IMPLICIT_TLS_PORT = 465; // RFC 8314 section 7.3

/**
 * Returns the TLS mode for a port: implicit on 465, STARTTLS elsewhere. Plain text is possible only
 * with a loopback host while private targets are allowed, for local mail catchers.
 */
export function tlsModeFor(port: number, host: string, allowPrivateTargets: boolean): TlsMode {
  if (port === IMPLICIT_TLS_PORT) return "implicit";
  return allowPrivateTargets && isLoopbackHost(host) ? "loopback" : "starttls";
}
