import { Buffer } from "node:buffer";

/** Encodes bytes as base64url without padding (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}

/** Encodes bytes as lowercase hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

export type Decoded = { ok: true; bytes: Uint8Array<ArrayBuffer> } | { ok: false };

const BASE64 = /^[A-Za-z0-9+/]*(={0,2})$/;
const BASE64_URL = /^[A-Za-z0-9_-]*$/;

/** Decodes standard base64 with correct padding or none (RFC 4648 §4); rejects other characters. */
export function fromBase64(text: string): Decoded {
  const padding = BASE64.exec(text)?.[1];
  const restCharacters = text.length % 4;
  if (padding === undefined || restCharacters === 1) return { ok: false };
  if (padding !== "" && restCharacters !== 0) return { ok: false };
  return { ok: true, bytes: new Uint8Array(Buffer.from(text, "base64")) };
}

const EQUALS = 0x3d;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const NO_DIGIT = 64;
/** Value of each ASCII character as a base64 digit. */
const BASE64_VALUES = new Uint8Array(256).fill(NO_DIGIT);
const BASE64_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
for (let value = 0; value < BASE64_DIGITS.length; value++)
  BASE64_VALUES[BASE64_DIGITS.charCodeAt(value)] = value;

/**
 * Decodes the bytes between the quotes of a JSON string as `fromBase64` does, without creating a
 * string. A slash may be escaped (`\/`), as some encoders write it. Returns undefined for anything
 * else, including other escapes.
 */
export function decodeBase64(text: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(Math.ceil(text.length / 4) * 3);
  let length = 0;
  let digits = 0;
  let bits = 0;
  let at = 0;
  for (; at < text.length; at++) {
    if (text[at] === BACKSLASH && text[at + 1] === SLASH) at += 1;
    const value = BASE64_VALUES[text[at] ?? 0] ?? NO_DIGIT;
    if (value === NO_DIGIT) break;
    bits = (bits << 6) | value;
    digits += 1;
    if (digits % 4 !== 0) continue;
    bytes[length++] = bits >> 16;
    bytes[length++] = bits >> 8;
    bytes[length++] = bits;
  }
  const padding = text.length - at;
  const rest = digits % 4;
  if (rest === 1 || padding > 2 || (padding > 0 && rest + padding !== 4)) return undefined;
  for (; at < text.length; at++) if (text[at] !== EQUALS) return undefined;
  if (rest === 2) bytes[length++] = bits >> 4;
  if (rest === 3) {
    bytes[length++] = bits >> 10;
    bytes[length++] = bits >> 2;
  }
  return bytes.subarray(0, length);
}

/** Decodes base64url without padding (RFC 4648 §5). */
export function fromBase64Url(text: string): Decoded {
  if (!BASE64_URL.test(text) || text.length % 4 === 1) return { ok: false };
  return { ok: true, bytes: new Uint8Array(Buffer.from(text, "base64url")) };
}
