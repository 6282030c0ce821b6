import { connectionMessage, type ConnectionMessage } from "../../messages/connections.ts";
import type { Connection } from "../net/connection.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Envelope, OutgoingMessage } from "./message.ts";

/**
 * Maximum address length in octets: a path has at most 256 with its brackets (RFC 5321 section
 * 4.5.3.1.3).
 */
const ADDRESS_BYTES_MAX = 254;
/**
 * Maximum number of recipients: the `to`, 50 `cc` and 50 `bcc` of a send (API reference §4.2). A
 * server that accepts fewer gets them in several transactions (RFC 5321 section 4.5.3.1.10).
 */
const RECIPIENTS_MAX = 101;
/**
 * Control characters and spaces, which end or split a command, and angle brackets, which end a
 * path.
 */
const UNSAFE_IN_PATH = /[\p{Cc}\p{Z}<>]/u;
const NON_ASCII = /\P{ASCII}/u;

/**
 * Largest message that shares one write with its end. The end of a larger message has its own
 * write, so that a connection lost before it means `not_sent` rather than `unknown`.
 */
export const ONE_WRITE_BYTES_MAX = 65_536;

const encoder = new TextEncoder();

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Joins bytes for one write. */
export function joinBytes(...pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const piece of pieces) {
    joined.set(piece, end);
    end += piece.length;
  }
  return joined;
}

/** Writes chunks in order, at most `count` bytes in total; stops if the peer has disconnected. */
export async function writeChunks(
  connection: Connection,
  chunks: Iterable<Uint8Array>,
  count = Number.POSITIVE_INFINITY,
): Promise<void> {
  let left = count;
  for (const chunk of chunks) {
    if (!connection.writable) return;
    await connection.write(chunk.subarray(0, left));
    left -= chunk.length;
  }
}

/**
 * A message prepared for one server: its commands without CRLF, or the reason that it cannot be
 * sent.
 */
export interface PreparedMessage {
  message: OutgoingMessage;
  mail: string;
  rcpt: string[];
  obstacle: ConnectionMessage | undefined;
}

/**
 * Prepares a message for a server with the given extensions. Rejects, rather than alters, an
 * address that needs a missing SMTPUTF8 (RFC 6531), text that needs a missing 8BITMIME (RFC 6152),
 * and a message above the server's SIZE (RFC 1870).
 */
export function prepareMessage(message: OutgoingMessage, offers: Capabilities): PreparedMessage {
  const { envelope } = message;
  const needs = messageNeeds(message);
  const parameters = [
    ...(offers.sizeBytesMax === undefined ? [] : [` SIZE=${needs.sizeBytes}`]),
    ...(needs.eightBit ? [" BODY=8BITMIME"] : []),
    ...(needs.smtpUtf8 ? [" SMTPUTF8"] : []),
  ];
  return {
    message,
    // No space follows the colons (RFC 5321 section 3.3).
    mail: `MAIL FROM:<${envelope.from}>${parameters.join("")}`,
    rcpt: envelope.to.map((address) => `RCPT TO:<${address}>`),
    obstacle: obstacleInEnvelope(envelope) ?? missingOffer(needs, offers),
  };
}

interface MessageNeeds {
  sizeBytes: number;
  eightBit: boolean;
  smtpUtf8: boolean;
}

function messageNeeds({ envelope, data }: OutgoingMessage): MessageNeeds {
  const addresses = [envelope.from, ...envelope.to];
  return {
    sizeBytes: data.length,
    eightBit: data.hasEightBitByte,
    smtpUtf8: envelope.smtpUtf8 || addresses.some((address) => NON_ASCII.test(address)),
  };
}

function obstacleInEnvelope({ from, to }: Envelope): ConnectionMessage | undefined {
  if (to.length === 0) return connectionMessage("no_recipient");
  if (to.length > RECIPIENTS_MAX)
    return connectionMessage("too_many_recipients", { max: RECIPIENTS_MAX });
  if (!isSafePath(from)) return connectionMessage("sender_invalid");
  const unsafe = to.some((address) => address === "" || !isSafePath(address));
  return unsafe ? connectionMessage("recipient_invalid") : undefined;
}

function missingOffer(needs: MessageNeeds, offers: Capabilities): ConnectionMessage | undefined {
  if (needs.smtpUtf8 && !offers.smtpUtf8) {
    return connectionMessage("extension_missing", { extension: "SMTPUTF8" });
  }
  if (needs.eightBit && !offers.eightBitMime) {
    return connectionMessage("extension_missing", { extension: "8BITMIME" });
  }
  const sizeBytesMax = offers.sizeBytesMax || Number.POSITIVE_INFINITY;
  if (needs.sizeBytes > sizeBytesMax) {
    return connectionMessage("message_too_large", { bytes: needs.sizeBytes, max: sizeBytesMax });
  }
  return undefined;
}

function isSafePath(address: string): boolean {
  return !UNSAFE_IN_PATH.test(address) && isWithinBytes(address, ADDRESS_BYTES_MAX);
}

/**
 * Checks the UTF-8 length of a text. A UTF-16 unit is at most three bytes, so short text needs no
 * encoding.
 */
function isWithinBytes(text: string, bytesMax: number): boolean {
  return text.length * 3 <= bytesMax || encodeText(text).length <= bytesMax;
}

/**
 * Returns the commands of an envelope, including DATA, as one text; with `reset`, RSET comes first.
 */
export function envelopeCommands({ mail, rcpt }: PreparedMessage, reset: boolean): string {
  return [...(reset ? ["RSET"] : []), mail, ...rcpt, "DATA", ""].join("\r\n");
}
