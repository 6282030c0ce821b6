/**
 * Content transfer encodings: quoted-printable and base64 (RFC 2045 sections 6.7 and 6.8), chosen
 * by content. The output is 7-bit, in lines of at most 76 characters. It never contains `=_`, so a
 * boundary that contains `=_` cannot occur in a body.
 */

/** An encoded body with its Content-Transfer-Encoding. */
export interface EncodedBody {
  transferEncoding: "quoted-printable" | "base64";
  bytes: Uint8Array;
}

/** Maximum encoded line without its CRLF, in characters (RFC 2045 sections 6.7 and 6.8). */
const MAX_LINE_LENGTH = 76;
/** Bytes per base64 line of 76 characters. */
const BASE64_LINE_BYTES = 57;
/** Bytes encoded per base64 chunk: a multiple of whole lines. */
const BASE64_CHUNK_BYTES = BASE64_LINE_BYTES * 1_024;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const EQUALS = 0x3d;
const TILDE = 0x7e;

/** 1 for each byte that quoted-printable may leave unescaped (RFC 2045 section 6.7 (2) and (3)). */
const LITERAL = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte >= SPACE && byte <= TILDE && byte !== EQUALS) || byte === TAB ? 1 : 0,
);

const encoder = new TextEncoder();
/** Maximum buffer kept between bodies, in bytes. */
const SCRATCH_BYTES_MAX = 262_144;
/** Buffer for the UTF-8 text before its transfer encoding. */
const utf8Buffer = scratchBuffer();
/** Buffer for quoted-printable output, whose length is known only at the end. */
const quotedBuffer = scratchBuffer();
const HEX_DIGITS = encoder.encode("0123456789ABCDEF");
const BASE64_DIGITS = encoder.encode(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
);

/**
 * Encodes a text body in UTF-8, as quoted-printable or, if that is shorter, as base64. CRLF and LF
 * are line breaks and become CRLF (RFC 2046 section 4.1.1). A lone CR is a character, not a line
 * break. Lone surrogates become U+FFFD. Otherwise the text decodes unchanged.
 */
export function encodeText(text: string): EncodedBody {
  const buffer = utf8Buffer(text.length * 3);
  const bytes = buffer.subarray(0, encoder.encodeInto(text, buffer).written);
  const quotedPrintable = encodeQuotedPrintable(bytes);
  // The estimate ignores the growth from LF to CRLF, which only lengthens base64, so one comparison
  // usually decides.
  if (quotedPrintable.length > base64Length(bytes.length)) {
    const inCrlfLines = encoder.encode(text.replace(/\r?\n/g, "\r\n"));
    if (quotedPrintable.length > base64Length(inCrlfLines.length)) {
      return { transferEncoding: "base64", bytes: encodeBase64(inCrlfLines) };
    }
  }
  return { transferEncoding: "quoted-printable", bytes: quotedPrintable };
}

/**
 * Encodes bytes as quoted-printable. Each CRLF or LF is a line break, a lone CR is data, and
 * trailing whitespace is escaped. Source: RFC 2045 section 6.7.
 */
export function encodeQuotedPrintable(bytes: Uint8Array): Uint8Array {
  // Worst case: three characters per byte, and a three-character soft break per 73 characters.
  const out = quotedBuffer(Math.ceil(bytes.length * 3 * (1 + 3 / 73)) + 3);
  let end = 0;
  let lineLength = 0;
  for (let at = 0; at < bytes.length;) {
    // Copies runs of literals, which make up most of a text.
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

/** Returns true for a byte that needs no escape; false for trailing whitespace on a line. */
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

/**
 * Returns a function that provides a buffer of at least the given size and reuses it if it fits.
 */
function scratchBuffer(): (byteCount: number) => Uint8Array {
  let kept = new Uint8Array(16_384);
  return (byteCount) => {
    if (byteCount <= kept.length) return kept;
    const larger = new Uint8Array(byteCount);
    if (byteCount <= SCRATCH_BYTES_MAX) kept = larger;
    return larger;
  };
}

/**
 * Encodes bytes as base64 in lines of 76 characters, without a final line break (RFC 2045
 * section 6.8).
 */
export function encodeBase64(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(base64Length(bytes.length));
  writeBase64(bytes, 0, bytes.length, out);
  return out;
}

/**
 * Yields what `encodeBase64` returns, in chunks of at most 80 KB. All chunks share one buffer: a
 * chunk is valid until the next one is requested.
 */
export function* base64Chunks(bytes: Uint8Array): Generator<Uint8Array> {
  const lineBreakBytes = 2;
  const chunkBytes = Math.min(bytes.length, BASE64_CHUNK_BYTES);
  const out = new Uint8Array(base64Length(chunkBytes) + lineBreakBytes);
  for (let from = 0; from < bytes.length; from += BASE64_CHUNK_BYTES) {
    const to = Math.min(bytes.length, from + BASE64_CHUNK_BYTES);
    yield out.subarray(0, writeBase64(bytes, from, to, out));
  }
}

/**
 * Writes bytes `from` to `to` of a body as base64 and returns the length written. `from` starts a
 * line and includes the line break before it.
 */
function writeBase64(bytes: Uint8Array, from: number, to: number, out: Uint8Array): number {
  let end = 0;
  for (let i = from; i < to; i += 3) {
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
  return end;
}

/** Returns the length of `byteCount` bytes in base64, with the line breaks between lines. */
export function base64Length(byteCount: number): number {
  const lineBreaks = Math.max(0, Math.ceil(byteCount / BASE64_LINE_BYTES) - 1);
  return Math.ceil(byteCount / 3) * 4 + lineBreaks * 2;
}
