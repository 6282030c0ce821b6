import { connectionMessage } from "../../messages/connections.ts";
import { type Connection } from "../net/connection.ts";
import { ConnectionError } from "../net/connection-error.ts";

/**
 * A server's reply: `enhanced` is a code such as "5.1.1" (RFC 3463), `text` joins the lines with
 * LF.
 */
export interface SmtpReply {
  code: number;
  enhanced: string | undefined;
  text: string;
}

/**
 * Maximum bytes of one reply, all lines together: 8 times the longest line of RFC 5321 section
 * 4.5.3.1.5.
 */
const REPLY_BYTES_MAX = 4_096;
const REPLY_LINE = /^([2-5]\d\d)(?:([ -])(.*))?$/s;
const ENHANCED_CODE = /^([245]\.\d{1,3}\.\d{1,3})(?: |$)/;
/** Control characters except the LF between two lines. JSON needs six characters for each. */
const CONTROLS = /[^\P{Cc}\n]+/gu;

/** The reply to DATA that asks for the message (RFC 5321 section 4.2.2). */
export const START_MAIL_INPUT = 354;

/** The code with which a server ends a session (RFC 5321 section 3.8). */
export const SERVICE_CLOSING = 421;

type Hide = (text: string) => string;
const hiders = new WeakMap<Connection, Hide>();

/** Redacts secrets in all replies on a connection with `hide`. */
export function hideInReplies(connection: Connection, hide: Hide): void {
  hiders.set(connection, hide);
}

/**
 * Reads one reply of one or more lines (RFC 5321 section 4.2.1); synchronously once it is complete.
 * @throws ConnectionError also `protocol` for a malformed reply or one over 4 KiB
 */
export function readReply(connection: Connection): SmtpReply | Promise<SmtpReply> {
  const begun: BegunReply = { code: undefined, lines: [], bytesLeft: REPLY_BYTES_MAX };
  return takeReply(connection, begun) ?? awaitReply(connection, begun);
}

/** Lines of an incomplete reply. */
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

/** Consumes the received lines; undefined until the last line of the reply arrives. */
function takeReply(connection: Connection, begun: BegunReply): SmtpReply | undefined {
  for (;;) {
    const line = connection.takeLine(begun.bytesLeft);
    if (line === undefined) return undefined;
    begun.bytesLeft = Math.max(0, begun.bytesLeft - line.length - 2);
    const [, code, separator, text = ""] = REPLY_LINE.exec(line) ?? [];
    if (!code || code !== (begun.code ?? code)) {
      throw new ConnectionError("protocol", connectionMessage("not_smtp"));
    }
    begun.code = code;
    begun.lines.push(text);
    if (separator !== "-") return makeReply(Number(code), begun.lines, hiders.get(connection));
  }
}

/** Returns true for a 2yz reply: the command succeeded. */
export function isPositive(reply: SmtpReply): boolean {
  return reply.code >= 200 && reply.code < 300;
}

/** Returns true for a 4yz or 5yz reply: a temporary or permanent rejection. */
export function isRefusal(reply: SmtpReply): boolean {
  return reply.code >= 400;
}

/**
 * Returns true for success (2yz) and false for a rejection (4yz, 5yz).
 * @throws ConnectionError `protocol` for a 3yz reply, which requests more input where none follows
 */
export function isAccepted(reply: SmtpReply): boolean {
  if (!isPositive(reply) && !isRefusal(reply)) throw unexpected(reply);
  return isPositive(reply);
}

/** Returns the error for a reply that does not fit its command. */
export function unexpected(reply: SmtpReply): ConnectionError {
  return new ConnectionError(
    "protocol",
    connectionMessage("reply_out_of_place", { reply: String(reply.code) }),
  );
}

/** Formats a reply as one readable line: `550 5.1.1 no such user`. */
export function describeReply(reply: SmtpReply): string {
  const enhanced = reply.enhanced === undefined ? "" : ` ${reply.enhanced}`;
  return `${reply.code}${enhanced} ${reply.text.replaceAll(/\s+/g, " ")}`.trim();
}

/**
 * Builds a reply. The enhanced code starts every line (RFC 2034 section 4); it is stored once,
 * separate from the text. Control characters become spaces, because the text is stored in the log
 * and in rows of pending mails. Secrets are redacted first, because they may contain such
 * characters.
 */
function makeReply(code: number, lines: string[], hide: Hide | undefined): SmtpReply {
  const enhanced = ENHANCED_CODE.exec(lines[0] ?? "")?.[1];
  const withoutCode = (line: string) =>
    enhanced !== undefined && line.startsWith(enhanced) ? line.slice(enhanced.length).trim() : line;
  const text = lines.map(withoutCode).join("\n");
  return { code, enhanced, text: (hide ? hide(text) : text).replaceAll(CONTROLS, " ") };
}
