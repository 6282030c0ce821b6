/*
 * Language in which a test writes its own SMTP server, byte by byte. Anything else is answered as
 * by an ordinary server; smtp/faults.ts has named scripts.
 */

import type { ShownCertificate } from "../certificates.ts";

/** One action of a server. */
export type RawStep =
  /** Sends text unchanged, whole or `chunkBytes` at a time, `everyMs` apart. */
  | { send: string; chunkBytes?: number; everyMs?: number }
  /** Closes the connection cleanly. */
  | { close: true }
  /** Waits for a text from the client, however far ahead of the answers. */
  | { awaitText: string }
  /** Stops reading from the network, so that the client's writes block. */
  | { stopReading: true }
  /** Turns TLS on with a certificate that the client trusts, or with one that it must reject. */
  | { startTls: ShownCertificate };

/**
 * Replaces an ordinary answer; the first matching rule applies, and an empty one is silent for
 * good.
 */
export interface RawRule {
  /**
   * "connect", "body" (the final dot, or the last byte of a BDAT), or the beginning of a command
   * line, as in "RCPT TO:<bob"; that of a BDAT precedes its bytes, and is silent without a rule.
   */
  on: string;
  steps: RawStep[];
  /** Number of matching events of a connection that the rule leaves to later rules. */
  skip?: number;
  /** Connection of the rule, counted from 1; without it, all. */
  connection?: number;
}

/** A server to order. */
export interface RawScript {
  /** Implicit TLS. */
  tls?: ShownCertificate;
  /** Keywords of the answer to EHLO. */
  offers?: string[];
  /**
   * Answers commands out of sequence with 503, and all but RSET and QUIT after a refused BDAT, as
   * RFC 3030 section 2 allows.
   */
  strict?: true;
  /** Refuses with 503, or drops, the commands that arrive together with a final dot. */
  behindDot?: "refused" | "dropped";
  /** The most RSETs of a connection behind refused mails. After them it ends, as with Exim. */
  resetsMax?: number;
  /** The most recipients of a mail. Any other is refused with 452. */
  recipientsMax?: number;
  /** The most connections at once. Any other is refused with 421. */
  connectionsMax?: number;
  /**
   * Ends the first connection at one point: after this many bytes of the client, which are still
   * answered, or after this many replies, when received commands are still run, but not answered.
   */
  cut?: { afterBytes: number } | { afterReplies: number };
  rules?: RawRule[];
}

/** A message whose final dot, or last chunk, has arrived. */
export interface RawTransaction {
  mail: string;
  /** RCPT lines with a 2yz answer. */
  rcpt: string[];
  /** Bytes between DATA and the final dot, dots still stuffed, or by BDAT, in latin1. */
  body: string;
  /**
   * True after a 2yz answer to the final dot: the server accepted it, even if it was cut off then.
   */
  accepted: boolean;
}

/** Record of one connection. */
export interface RawConnectionLog {
  /** Chunks in order of arrival and departure, in latin1, decrypted. */
  traffic: { from: "client" | "server"; text: string }[];
  transactions: RawTransaction[];
}

/** Record of a server. */
export interface RawLog {
  connections: RawConnectionLog[];
  /** Largest number of simultaneous connections. */
  openMax: number;
}
