/*
 * The language in which a test writes its own SMTP server, byte by byte. What the script does not
 * say is answered as by an ordinary server; smtp/faults.ts has scripts with names.
 */

/** One thing a server does. */
export type RawStep =
  /** Sends text as it stands, whole or `chunkBytes` at a time, `everyMs` apart. */
  | { send: string; chunkBytes?: number; everyMs?: number }
  /** Closes the connection in order. */
  | { close: true }
  /** Waits until a text has come from the client, be it far ahead of what is answered. */
  | { awaitText: string }
  /** Takes nothing more from the network, so that the client's writes get stuck. */
  | { stopReading: true }
  /** Turns TLS on with a certificate the client trusts, or with one it must not. */
  | { startTls: "trusted" | "untrusted" };

/** Replaces an ordinary answer; the first rule that fits is taken, an empty one is silence for good. */
export interface RawRule {
  /**
   * "connect", "body" (the final dot, or the last byte of a BDAT), or how a command line begins, as
   * in "RCPT TO:<bob"; that of a BDAT comes before its bytes, and is silent if no rule is for it.
   */
  on: string;
  steps: RawStep[];
  /** How many events of a connection the rule leaves to the rules after it before it applies. */
  skip?: number;
  /** The one connection it is for, counted from 1; without it, for all. */
  connection?: number;
}

/** A server to order. */
export interface RawScript {
  /** Implicit TLS. */
  tls?: "trusted" | "untrusted";
  /** Keywords of the answer to EHLO. */
  offers?: string[];
  /**
   * Commands out of sequence get 503, and after a refused BDAT all but RSET and QUIT do, which RFC
   * 3030 section 2 allows.
   */
  strict?: true;
  /**
   * Ends the first connection at one point: after so many bytes of the client, which are answered
   * still, or after so many replies, when what has come is carried out still, but not answered.
   */
  cut?: { afterBytes: number } | { afterReplies: number };
  rules?: RawRule[];
}

/** A message whose final dot, or last chunk, has come. */
export interface RawTransaction {
  mail: string;
  /** RCPT lines that got a 2yz answer. */
  rcpt: string[];
  /** What came between DATA and the final dot, dots still stuffed, or by BDAT, in latin1. */
  body: string;
  /** True when the answer to the final dot was 2yz: the server took it, even if it was cut off then. */
  accepted: boolean;
}

/** What one connection saw. */
export interface RawConnectionLog {
  /** Chunks in the order in which they came and went, in latin1, decrypted. */
  traffic: { from: "client" | "server"; text: string }[];
  transactions: RawTransaction[];
}

/** What a server saw. */
export interface RawLog {
  connections: RawConnectionLog[];
  /** Most connections that were open at once. */
  openMax: number;
}
