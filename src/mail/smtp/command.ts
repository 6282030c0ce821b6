import type { Capabilities } from "./capabilities.ts";
import type { Envelope, OutgoingMessage } from "./message.ts";

/** A path is at most 256 octets with its brackets (RFC 5321 section 4.5.3.1.3). */
const ADDRESS_BYTES_MAX = 254;
/** What every server must take (RFC 5321 section 4.5.3.1.8); it also keeps a command group small. */
const RECIPIENTS_MAX = 100;
/** Control characters and spaces end or split a command, angle brackets end a path. */
const UNSAFE_IN_PATH = /[\p{Cc}\p{Z}<>]/u;
const NON_ASCII = /\P{ASCII}/u;

/**
 * Up to this size a message and what ends it go in one write. The end of a larger one has a write
 * of its own, so that a connection lost meanwhile means `not_sent` and not `unknown`.
 */
export const ONE_WRITE_BYTES_MAX = 65_536;

/** Of four bytes. */
const EIGHTH_BITS = 0x80808080;

const encoder = new TextEncoder();

/** Text as UTF-8. */
export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Bytes that go in one write. */
export function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

/**
 * A message made ready for one server: its commands without CRLF, or the obstacle, in words for
 * people, for which not a byte of it may be written.
 */
export interface PreparedMessage {
  message: OutgoingMessage;
  mail: string;
  rcpt: string[];
  obstacle: string | undefined;
}

/**
 * Makes a message ready for a server that offers certain extensions. An address that needs
 * SMTPUTF8 (RFC 6531) is refused where it is missing, never mangled; so is text that needs
 * 8BITMIME (RFC 6152), and a message over the SIZE of the server (RFC 1870).
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
    // No space after the colons (RFC 5321 section 3.3).
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
    eightBit: hasEightBitByte(data),
    smtpUtf8: envelope.smtpUtf8 || addresses.some((address) => NON_ASCII.test(address)),
  };
}

/** Looks at four bytes at a time: nearly always the answer is no, after all of them. */
function hasEightBitByte(data: Uint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const wordsEnd = data.length - (data.length % 4);
  for (let at = 0; at < wordsEnd; at += 4) {
    if ((view.getInt32(at) & EIGHTH_BITS) !== 0) return true;
  }
  return data.subarray(wordsEnd).some((byte) => byte > 0x7f);
}

function obstacleInEnvelope({ from, to }: Envelope): string | undefined {
  if (to.length === 0) return "the message has no recipient";
  if (to.length > RECIPIENTS_MAX) return `a message has at most ${RECIPIENTS_MAX} recipients`;
  if (!isSafePath(from)) return "the sender's address cannot be sent";
  const unsafe = to.some((address) => address === "" || !isSafePath(address));
  return unsafe ? "a recipient's address cannot be sent" : undefined;
}

function missingOffer(needs: MessageNeeds, offers: Capabilities): string | undefined {
  if (needs.smtpUtf8 && !offers.smtpUtf8) {
    return "the server does not offer SMTPUTF8, which this message needs";
  }
  if (needs.eightBit && !offers.eightBitMime) {
    return "the server does not offer 8BITMIME, which this message needs";
  }
  const sizeBytesMax = offers.sizeBytesMax || Number.POSITIVE_INFINITY;
  if (needs.sizeBytes > sizeBytesMax) {
    return `the message has ${needs.sizeBytes} bytes, the server accepts ${sizeBytesMax}`;
  }
  return undefined;
}

function isSafePath(address: string): boolean {
  return !UNSAFE_IN_PATH.test(address) && isWithinBytes(address, ADDRESS_BYTES_MAX);
}

/** A UTF-16 unit is at most three bytes, so that short text need not be encoded to be measured. */
function isWithinBytes(text: string, bytesMax: number): boolean {
  return text.length * 3 <= bytesMax || encodeText(text).length <= bytesMax;
}
