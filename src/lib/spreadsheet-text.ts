import { isUtf8 } from "node:buffer";

/**
 * Returns the text of a spreadsheet in UTF-8. Spreadsheets also save UTF-16LE with its mark, and
 * windows-1252, of which Latin-1 is a part.
 */
export function inUtf8(text: Uint8Array): Uint8Array {
  if (text[0] === 0xff && text[1] === 0xfe) return decodedFrom("utf-16le", text);
  return isUtf8(text) ? text : decodedFrom("windows-1252", text);
}

const decodedFrom = (encoding: string, text: Uint8Array) =>
  new TextEncoder().encode(new TextDecoder(encoding).decode(text));
