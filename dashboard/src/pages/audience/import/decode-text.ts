/** Encodings that spreadsheet programs use. */
export type Encoding = "UTF-8" | "UTF-16LE" | "UTF-16BE" | "Windows-1252";

/**
 * Decodes a text file: UTF-8 if valid, else UTF-16 if it has a BOM, else Windows-1252, which Excel
 * uses for CSV in Western Europe.
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const encoding = encodingOf(bytes);
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "UTF-16LE";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "UTF-16BE";
  return isUtf8(bytes) ? "UTF-8" : "Windows-1252";
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("UTF-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
