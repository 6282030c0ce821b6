/*
 * The language in which a test writes its own IMAP server, byte by byte, over real TLS. What the
 * script does not say is answered as by an ordinary server with an empty folder.
 */

/** One thing a server does; `<tag>` in a text stands for the tag of the command. */
export type ImapStep =
  /** Sends text, in latin1, `times` over, whole or `chunkBytes` at a time, `everyMs` apart. */
  | { send: string; times?: number; chunkBytes?: number; everyMs?: number }
  /** Closes the connection in order. */
  | { close: true };

/** Replaces an ordinary answer; the first rule that fits is taken, no steps are silence. */
export interface ImapRule {
  /** "connect", or how what the client sends begins, without its tag: "UID FETCH". */
  on: string;
  steps: ImapStep[];
}

/** A server to order. */
export interface ImapScript {
  /** Its certificate is one that the client must not trust. */
  untrusted?: boolean;
  /** Capabilities besides IMAP4rev1; AUTH=PLAIN and SASL-IR unless told. */
  offers?: string[];
  rules?: ImapRule[];
}
