const DIGITS = "abcdefghijklmnopqrstuvwxyz234567";
const BITS_A_DIGIT = 5;
/** Mask for one byte and the remainder before it. */
const BYTE_AND_REST = 0xfff;

/** Encodes bytes in lowercase base32 without padding (RFC 4648 §6). */
export function toBase32(bytes: Uint8Array): string {
  let text = "";
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & BYTE_AND_REST;
    for (bits += 8; bits >= BITS_A_DIGIT;) {
      bits -= BITS_A_DIGIT;
      text += DIGITS[(value >> bits) & 31] ?? "";
    }
  }
  return bits === 0 ? text : text + (DIGITS[(value << (BITS_A_DIGIT - bits)) & 31] ?? "");
}

/** Decodes lowercase base32 without padding. Returns undefined for other characters. */
export function fromBase32(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * BITS_A_DIGIT) / 8));
  let value = 0;
  let bits = 0;
  let length = 0;
  for (const digit of text) {
    const found = DIGITS.indexOf(digit);
    if (found === -1) return undefined;
    value = ((value << BITS_A_DIGIT) | found) & BYTE_AND_REST;
    bits += BITS_A_DIGIT;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = value >> bits;
  }
  return bytes;
}
