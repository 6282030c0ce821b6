/*
 * Language in which a test writes its own IMAP server, byte by byte, over real TLS. Anything else
 * is answered as by an ordinary server with an empty folder.
 */

import type { ShownCertificate } from "../certificates.ts";

/** One action of a server; `<tag>` in a text stands for the tag of the command. */
export type ImapStep =
  /** Sends text in latin1 `times` over, whole or `chunkBytes` at a time, `everyMs` apart. */
  | { send: string; times?: number; chunkBytes?: number; everyMs?: number }
  /** Closes the connection cleanly. */
  | { close: true };

/**
 * Replaces an ordinary answer; the first matching rule applies, and one without steps is silent.
 */
export interface ImapRule {
  /** "connect", or the beginning of a command without its tag: "UID FETCH". */
  on: string;
  steps: ImapStep[];
}

/** A server to order. */
export interface ImapScript {
  /** The certificate that it shows, "trusted" by default. */
  certificate?: ShownCertificate;
  /** Capabilities besides IMAP4rev1; AUTH=PLAIN and SASL-IR by default. */
  offers?: string[];
  rules?: ImapRule[];
}
