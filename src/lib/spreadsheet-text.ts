import { isUtf8 } from "node:buffer";

/**
 * Converts a file saved by a spreadsheet to UTF-8. Spreadsheets also use UTF-16LE with a BOM, and
 * windows-1252, a superset of Latin-1.
 */
export function inUtf8(text: Uint8Array): Uint8Array {
  if (text[0] === 0xff && text[1] === 0xfe) return decodedFrom("utf-16le", text);
  return isUtf8(text) ? text : decodedFrom("windows-1252", text);
}

const decodedFrom = (encoding: string, text: Uint8Array) =>
  new TextEncoder().encode(new TextDecoder(encoding).decode(text));
