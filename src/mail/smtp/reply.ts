import { type Connection, ConnectionError } from "../net/connection.ts";

/** An answer of a server: `enhanced` as in "5.1.1" (RFC 3463), `text` with lines joined by LF. */
export interface SmtpReply {
  code: number;
  enhanced: string | undefined;
  text: string;
}

/** Most bytes of one reply, all lines together: 8 times the longest line of RFC 5321 section 4.5.3.1.5. */
const REPLY_BYTES_MAX = 4_096;
const REPLY_LINE = /^([2-5]\d\d)(?:([ -])(.*))?$/s;
const ENHANCED_CODE = /^([245]\.\d{1,3}\.\d{1,3})(?: |$)/;

/** The code that ends a session from the server's side (RFC 5321 section 3.8). */
export const SERVICE_CLOSING = 421;

type Hide = (text: string) => string;
const hiders = new WeakMap<Connection, Hide>();

/** Has the texts of all replies on a connection pass through `hide`, which cuts out secrets. */
export function hideInReplies(connection: Connection, hide: Hide): void {
  hiders.set(connection, hide);
}

/**
 * Reads one reply, of one line or many (RFC 5321 section 4.2.1); at once when all of it has come.
 * @throws ConnectionError also `protocol` for an answer that is none or is over 4 KiB
 */
export function readReply(connection: Connection): SmtpReply | Promise<SmtpReply> {
  const begun: BegunReply = { code: undefined, lines: [], bytesLeft: REPLY_BYTES_MAX };
  return takeReply(connection, begun) ?? awaitReply(connection, begun);
}

/** The lines of a reply that were read. */
interface BegunReply {
  code: string | undefined;
  lines: string[];
  bytesLeft: number;
}

async function awaitReply(connection: Connection, begun: BegunReply): Promise<SmtpReply> {
  for (;;) {
    await connection.receive();
    const reply = takeReply(connection, begun);
    if (reply) return reply;
  }
}

/** Takes the lines that have come; undefined while the last one of the reply is not among them. */
function takeReply(connection: Connection, begun: BegunReply): SmtpReply | undefined {
  for (;;) {
    const line = connection.takeLine(begun.bytesLeft);
    if (line === undefined) return undefined;
    begun.bytesLeft = Math.max(0, begun.bytesLeft - line.length - 2);
    const [, code, separator, text = ""] = REPLY_LINE.exec(line) ?? [];
    if (!code || code !== (begun.code ?? code)) {
      throw new ConnectionError("protocol", "the server sent something that is no SMTP reply");
    }
    begun.code = code;
    begun.lines.push(text);
    if (separator !== "-") return makeReply(Number(code), begun.lines, hiders.get(connection));
  }
}

/** A 2yz answer: the command was carried out. */
export function isPositive(reply: SmtpReply): boolean {
  return reply.code >= 200 && reply.code < 300;
}

/** A 4yz or 5yz answer: the command was refused, for now or for good. */
export function isRefusal(reply: SmtpReply): boolean {
  return reply.code >= 400;
}

/**
 * Whether a command was carried out (2yz) or refused (4yz, 5yz).
 * @throws ConnectionError `protocol` for a 3yz answer, which asks for more where nothing is to come
 */
export function isAccepted(reply: SmtpReply): boolean {
  if (!isPositive(reply) && !isRefusal(reply)) throw unexpected(reply);
  return isPositive(reply);
}

/** The error for an answer that cannot be one to what was asked. */
export function unexpected(reply: SmtpReply): ConnectionError {
  return new ConnectionError("protocol", `the server answered ${reply.code} out of place`);
}

/** A reply on one line, for people: `550 5.1.1 no such user`. */
export function describeReply(reply: SmtpReply): string {
  const enhanced = reply.enhanced === undefined ? "" : ` ${reply.enhanced}`;
  return `${reply.code}${enhanced} ${reply.text.replaceAll(/\s+/g, " ")}`.trim();
}

/** The enhanced code leads every line (RFC 2034 section 4) and is kept once, beside the text. */
function makeReply(code: number, lines: string[], hide: Hide | undefined): SmtpReply {
  const enhanced = ENHANCED_CODE.exec(lines[0] ?? "")?.[1];
  const withoutCode = (line: string) =>
    enhanced !== undefined && line.startsWith(enhanced) ? line.slice(enhanced.length).trim() : line;
  const text = lines.map(withoutCode).join("\n");
  return { code, enhanced, text: hide ? hide(text) : text };
}
