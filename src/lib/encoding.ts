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

const NO_BASE64 = /[^A-Za-z0-9+/]/;
const BASE64_URL = /^[A-Za-z0-9_-]*$/;

/** Decodes standard base64 with correct padding or none (RFC 4648 §4); rejects other characters. */
export function fromBase64(text: string): Decoded {
  const end = text.search(NO_BASE64); // one pattern for the whole text would need a large stack
  const padding = end === -1 ? "" : text.slice(end);
  const restCharacters = text.length % 4;
  const isPadded = (padding === "=" || padding === "==") && restCharacters === 0;
  if (!isPadded && (padding !== "" || restCharacters === 1)) return { ok: false };
  return { ok: true, bytes: new Uint8Array(Buffer.from(text, "base64")) };
}

/** Decodes base64url without padding (RFC 4648 §5). */
export function fromBase64Url(text: string): Decoded {
  if (!BASE64_URL.test(text) || text.length % 4 === 1) return { ok: false };
  return { ok: true, bytes: new Uint8Array(Buffer.from(text, "base64url")) };
}
