/**
 * Encoded words for header text outside plain ASCII: RFC 2047 sections 2, 4 and 5. The output is
 * ASCII without line breaks, so that no text can end a header line.
 */

/**
 * Maximum word length in characters. RFC 2047 section 2 allows 75. A word of 64 also fits on the
 * first line after a typical header name, within the 76 characters of a line with encoded words.
 */
const MAX_WORD_LENGTH = 64;
const MAX_PAYLOAD_LENGTH = MAX_WORD_LENGTH - "=?UTF-8?B?".length - "?=".length;
const MAX_BASE64_BYTES = (MAX_PAYLOAD_LENGTH / 4) * 3;

const encoder = new TextEncoder();

/** Bytes that need no escape, even in a display name (RFC 2047 section 5 (3)). */
const Q_SAFE = new Set(
  encoder.encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/"),
);
const SPACE = 0x20;

const qWidth = (byte: number) => (byte === SPACE || Q_SAFE.has(byte) ? 1 : 3);

/**
 * Encodes text as UTF-8 encoded words of at most 64 characters, in B or Q, whichever is shorter. No
 * character spans two words, and lone surrogates become U+FFFD. The words, joined by whitespace,
 * decode to the text. Source: RFC 2047.
 */
export function encodedWords(text: string): string[] {
  const bytes = encoder.encode(text);
  const qLength = bytes.reduce((length, byte) => length + qWidth(byte), 0);
  if (qLength <= Math.ceil(bytes.length / 3) * 4) {
    return splitCharacters(bytes, qWidth, MAX_PAYLOAD_LENGTH).map(
      (piece) => `=?UTF-8?Q?${qPayload(piece)}?=`,
    );
  }
  return splitCharacters(bytes, () => 1, MAX_BASE64_BYTES).map(
    (piece) => `=?UTF-8?B?${btoa(String.fromCharCode(...piece))}?=`,
  );
}

function qPayload(bytes: Uint8Array): string {
  let payload = "";
  for (const byte of bytes) {
    if (byte === SPACE) payload += "_";
    else if (Q_SAFE.has(byte)) payload += String.fromCharCode(byte);
    else payload += `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return payload;
}

/** Splits UTF-8 at character boundaries into pieces whose `widthOf` sums stay within `budget`. */
function splitCharacters(
  bytes: Uint8Array,
  widthOf: (byte: number) => number,
  budget: number,
): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let pieceStart = 0;
  let pieceWidth = 0;
  for (let i = 0; i < bytes.length;) {
    let next = i;
    let width = 0;
    do width += widthOf(bytes[next++] ?? 0);
    while (((bytes[next] ?? 0) & 0xc0) === 0x80);
    if (pieceWidth + width > budget) {
      pieces.push(bytes.subarray(pieceStart, i));
      pieceStart = i;
      pieceWidth = 0;
    }
    pieceWidth += width;
    i = next;
  }
  if (pieceStart < bytes.length) pieces.push(bytes.subarray(pieceStart));
  return pieces;
}
