const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Number of base62 digits for 256 bits (256 / log2 62 = 42.99). */
const BASE62_DIGITS_OF_256_BITS = 43;

/** Creates a secret of 256 random bits: 43 base62 digits, each drawn without bias. */
export function randomToken(): string {
  const largestUnbiasedByte = Math.floor(256 / BASE62.length) * BASE62.length;
  let token = "";
  while (token.length < BASE62_DIGITS_OF_256_BITS) {
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      if (byte < largestUnbiasedByte && token.length < BASE62_DIGITS_OF_256_BITS)
        token += BASE62[byte % BASE62.length];
    }
  }
  return token;
}

/** Writes 256 bits, given as hexadecimal, as 43 base62 digits. */
export function base62(hex: string): string {
  let digits = "";
  for (let rest = BigInt(`0x${hex}`); rest > 0n; rest /= 62n)
    digits = (BASE62[Number(rest % 62n)] ?? "") + digits;
  return digits.padStart(BASE62_DIGITS_OF_256_BITS, "0");
}
