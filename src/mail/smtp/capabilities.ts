import type { SmtpReply } from "./reply.ts";

/** Capabilities that a server offers in its reply to EHLO (RFC 5321 section 4.1.1.1). */
export interface Capabilities {
  startTls: boolean;
  /** Several commands may share one write (RFC 2920). */
  pipelining: boolean;
  /** BDAT instead of DATA (RFC 3030). */
  chunking: boolean;
  eightBitMime: boolean;
  smtpUtf8: boolean;
  /**
   * Maximum message size in bytes (RFC 1870), 0 if the server sets no limit; undefined without
   * SIZE.
   */
  sizeBytesMax: number | undefined;
  /** Login mechanisms in uppercase. */
  auth: string[];
}

/** Parses the reply to EHLO; skips the first line (the server's name) and unknown keywords. */
export function parseCapabilities(reply: SmtpReply): Capabilities {
  const keywords = new Map<string, string[]>();
  for (const line of reply.text.split("\n").slice(1)) {
    // Servers older than RFC 2554 write "AUTH=LOGIN".
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
