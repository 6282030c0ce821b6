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
/** Where quoted-printable is written first: how long it gets is known at its end. */
let scratch = new Uint8Array(16_384);
/** Larger ones are not kept. */
const SCRATCH_BYTES_MAX = 262_144;
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
  const bytes = encoder.encode(text.replace(/\r?\n/g, "\r\n"));
  const quotedPrintable = encodeQuotedPrintable(bytes);
  return quotedPrintable.length > base64Length(bytes.length)
    ? { transferEncoding: "base64", bytes: encodeBase64(bytes) }
    : { transferEncoding: "quoted-printable", bytes: quotedPrintable };
}

/**
 * Quoted-printable of `bytes`, where each CRLF pair is a line break and a CR or LF alone is data.
 * White space at the end of a line is escaped. Source: RFC 2045 section 6.7.
 */
export function encodeQuotedPrintable(bytes: Uint8Array): Uint8Array {
  // Three characters a byte, and a soft break of three after every 73 or more characters.
  const out = scratchOf(Math.ceil(bytes.length * 3 * (1 + 3 / 73)) + 3);
  let end = 0;
  let lineLength = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === CR && bytes[i + 1] === LF) {
      out[end++] = CR;
      out[end++] = LF;
      lineLength = 0;
      i++;
      continue;
    }
    const isLiteral = LITERAL[byte] === 1 && (byte > SPACE || !endsLine(bytes, i + 1));
    const width = isLiteral ? 1 : 3;
    lineLength += width;
    if (lineLength >= MAX_LINE_LENGTH) {
      out[end++] = EQUALS;
      out[end++] = CR;
      out[end++] = LF;
      lineLength = width;
    }
    if (isLiteral) {
      out[end++] = byte;
    } else {
      out[end++] = EQUALS;
      out[end++] = HEX_DIGITS[byte >> 4] ?? 0;
      out[end++] = HEX_DIGITS[byte & 15] ?? 0;
    }
  }
  return out.slice(0, end);
}

function scratchOf(byteCount: number): Uint8Array {
  if (byteCount <= scratch.length) return scratch;
  const larger = new Uint8Array(byteCount);
  if (byteCount <= SCRATCH_BYTES_MAX) scratch = larger;
  return larger;
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

function endsLine(bytes: Uint8Array, index: number): boolean {
  return index >= bytes.length || (bytes[index] === CR && bytes[index + 1] === LF);
}

/** Characters of `byteCount` bytes in base64, line breaks between lines included. */
function base64Length(byteCount: number): number {
  const lineBreaks = Math.max(0, Math.ceil(byteCount / BASE64_LINE_BYTES) - 1);
  return Math.ceil(byteCount / 3) * 4 + lineBreaks * 2;
}
