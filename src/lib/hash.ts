import { createHash, timingSafeEqual } from "node:crypto";

/** Returns the SHA-256 of a UTF-8 text followed by bytes, as lowercase hexadecimal (FIPS 180-4). */
export function sha256Hex(text: string, bytes: Uint8Array = new Uint8Array()): string {
  return createHash("sha256").update(text, "utf8").update(bytes).digest("hex");
}

/** Compares two secrets in constant time. */
export function secretsEqual(a: string, b: string): boolean {
  const left = createHash("sha256").update(a, "utf8").digest();
  const right = createHash("sha256").update(b, "utf8").digest();
  return timingSafeEqual(left, right);
}
