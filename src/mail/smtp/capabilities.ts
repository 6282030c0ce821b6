import type { SmtpReply } from "./reply.ts";

/** What a server offers in its answer to EHLO (RFC 5321 section 4.1.1.1). */
export interface Capabilities {
  startTls: boolean;
  /** Several commands may go in one write (RFC 2920). */
  pipelining: boolean;
  /** BDAT instead of DATA (RFC 3030). */
  chunking: boolean;
  eightBitMime: boolean;
  smtpUtf8: boolean;
  /** Most bytes of a message (RFC 1870), 0 when the server names no limit; undefined without SIZE. */
  sizeBytesMax: number | undefined;
  /** Login mechanisms in upper case. */
  auth: string[];
}

/** Reads the answer to EHLO; the first line is the server's name, unknown keywords are ignored. */
export function parseCapabilities(reply: SmtpReply): Capabilities {
  const keywords = new Map<string, string[]>();
  for (const line of reply.text.split("\n").slice(1)) {
    // "AUTH=LOGIN" is how servers older than RFC 2554 write it.
    const [keyword = "", ...values] = line.trim().toUpperCase().split(/[ =]+/);
    keywords.set(keyword, [...(keywords.get(keyword) ?? []), ...values]);
  }
  const size = keywords.get("SIZE");
  return {
    startTls: keywords.has("STARTTLS"),
    pipelining: keywords.has("PIPELINING"),
    chunking: keywords.has("CHUNKING"),
    eightBitMime: keywords.has("8BITMIME"),
    smtpUtf8: keywords.has("SMTPUTF8"),
    sizeBytesMax: size && (Number.parseInt(size[0] ?? "0", 10) || 0),
    auth: keywords.get("AUTH") ?? [],
  };
}
