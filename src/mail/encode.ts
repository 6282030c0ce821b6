/**
 * Content transfer encodings: quoted-printable and base64 (RFC 2045 sections 6.7 and 6.8), chosen
 * by content. What comes out is 7-bit, in lines of at most 76 characters, and cannot hold the
 * characters `=_` side by side: boundaries made of them never occur in a body.
 */

/** An encoded body with the name it goes under in Content-Transfer-Encoding. */
export interface EncodedBody {
  transferEncoding: "quoted-printable" | "base64";
  bytes: Uint8Array;
}

/** Longest encoded line without its CRLF, in characters (RFC 2045 sections 6.7 and 6.8). */
const MAX_LINE_LENGTH = 76;
/** Bytes that make one full base64 line of 76 characters. */
const BASE64_LINE_BYTES = 57;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const EQUALS = 0x3d;
const TILDE = 0x7e;

/** 1 for bytes that quoted-printable may write as they are (RFC 2045 section 6.7 (2) and (3)). */
const LITERAL = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte >= SPACE && byte <= TILDE && byte !== EQUALS) || byte === TAB ? 1 : 0,
);

const encoder = new TextEncoder();
/** Most bytes that are kept from one body to the next. */
const SCRATCH_BYTES_MAX = 262_144;
/** Text in UTF-8, before it is encoded any further. */
const utf8Buffer = scratchBuffer();
/** Where quoted-printable is written first: how long it gets is known at its end. */
const quotedBuffer = scratchBuffer();
const HEX_DIGITS = encoder.encode("0123456789ABCDEF");
const BASE64_DIGITS = encoder.encode(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
);

/**
 * Encodes a text body in UTF-8, as quoted-printable or, where that is shorter, as base64. CRLF and
 * LF are line breaks and become CRLF (RFC 2046 section 4.1.1); a CR on its own is no line break and
 * is kept as a character; lone surrogates become U+FFFD. Nothing else changes: a reader gets the
 * same text back.
 */
export function encodeText(text: string): EncodedBody {
  const buffer = utf8Buffer(text.length * 3);
  const bytes = buffer.subarray(0, encoder.encodeInto(text, buffer).written);
  const quotedPrintable = encodeQuotedPrintable(bytes);
  // Line breaks that become CRLF make base64 longer still: mostly the first look is enough.
  if (quotedPrintable.length > base64Length(bytes.length)) {
    const inCrlfLines = encoder.encode(text.replace(/\r?\n/g, "\r\n"));
    if (quotedPrintable.length > base64Length(inCrlfLines.length)) {
      return { transferEncoding: "base64", bytes: encodeBase64(inCrlfLines) };
    }
  }
  return { transferEncoding: "quoted-printable", bytes: quotedPrintable };
}

/**
 * Quoted-printable of `bytes`, where each CRLF or LF is a line break and a CR alone is data.
 * White space at the end of a line is escaped. Source: RFC 2045 section 6.7.
 */
export function encodeQuotedPrintable(bytes: Uint8Array): Uint8Array {
  // Three characters a byte, and a soft break of three after every 73 or more characters.
  const out = quotedBuffer(Math.ceil(bytes.length * 3 * (1 + 3 / 73)) + 3);
  let end = 0;
  let lineLength = 0;
  for (let at = 0; at < bytes.length;) {
    // Runs of literals, as far as the line has room, are most of a text.
    const runStart = at;
    const runEnd = Math.min(bytes.length, at + MAX_LINE_LENGTH - 1 - lineLength);
    while (at < runEnd && LITERAL[bytes[at] ?? 0] === 1) out[end++] = bytes[at++] ?? 0;
    if (at > runStart && !isLiteralAt(bytes, at - 1)) {
      at--;
      end--;
    }
    lineLength += at - runStart;
    if (at === bytes.length) break;
    const lineBreak = lineBreakLength(bytes, at);
    if (lineBreak > 0) {
      out[end++] = CR;
      out[end++] = LF;
      lineLength = 0;
      at += lineBreak;
      continue;
    }
    const isLiteral = isLiteralAt(bytes, at);
    if (isLiteral || lineLength + 3 >= MAX_LINE_LENGTH) {
      out[end++] = EQUALS;
      out[end++] = CR;
      out[end++] = LF;
      lineLength = 0;
    }
    if (!isLiteral) {
      const byte = bytes[at++] ?? 0;
      out[end++] = EQUALS;
      out[end++] = HEX_DIGITS[byte >> 4] ?? 0;
      out[end++] = HEX_DIGITS[byte & 15] ?? 0;
      lineLength += 3;
    }
  }
  return out.slice(0, end);
}

/** False also for white space that ends a line. */
function isLiteralAt(bytes: Uint8Array, index: number): boolean {
  const byte = bytes[index] ?? 0;
  return LITERAL[byte] === 1 && (byte > SPACE || !endsLine(bytes, index + 1));
}

function endsLine(bytes: Uint8Array, index: number): boolean {
  return index >= bytes.length || lineBreakLength(bytes, index) > 0;
}

function lineBreakLength(bytes: Uint8Array, index: number): 0 | 1 | 2 {
  if (bytes[index] === LF) return 1;
  return bytes[index] === CR && bytes[index + 1] === LF ? 2 : 0;
}

/** A function that gives a buffer of at least so many bytes, the same one where it is large enough. */
function scratchBuffer(): (byteCount: number) => Uint8Array {
  let kept = new Uint8Array(16_384);
  return (byteCount) => {
    if (byteCount <= kept.length) return kept;
    const larger = new Uint8Array(byteCount);
    if (byteCount <= SCRATCH_BYTES_MAX) kept = larger;
    return larger;
  };
}

/** Base64 of `bytes` in lines of 76 characters, no line break at the end (RFC 2045 section 6.8). */
export function encodeBase64(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(base64Length(bytes.length));
  let end = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    if (i > 0 && i % BASE64_LINE_BYTES === 0) {
      out[end++] = CR;
      out[end++] = LF;
    }
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    out[end++] = BASE64_DIGITS[group >> 18] ?? 0;
    out[end++] = BASE64_DIGITS[(group >> 12) & 63] ?? 0;
    out[end++] = i + 1 < bytes.length ? (BASE64_DIGITS[(group >> 6) & 63] ?? 0) : EQUALS;
    out[end++] = i + 2 < bytes.length ? (BASE64_DIGITS[group & 63] ?? 0) : EQUALS;
  }
  return out;
}

/** Characters of `byteCount` bytes in base64, line breaks between lines included. */
function base64Length(byteCount: number): number {
  const lineBreaks = Math.max(0, Math.ceil(byteCount / BASE64_LINE_BYTES) - 1);
  return Math.ceil(byteCount / 3) * 4 + lineBreaks * 2;
}
