/* Splits a mail into fields and body, and canonicalizes both for DKIM (RFC 6376 §3.4). */
import { Buffer } from "node:buffer";

/** Maximum number of fields; real mail has a tenth as many. */
const MAX_FIELDS = 500;

export type Canonicalization = "simple" | "relaxed";

/** A mail as text with one character per byte and CRLF line endings. */
export interface SplitMail {
  fields: { name: string; raw: string }[];
  body: string;
}

/**
 * Removes leading and trailing spaces and tabs. `trim` would also remove the byte 0xA0, the last
 * byte of letters such as "à" in UTF-8.
 */
function trimBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === " " || text[at] === "\t";
  let [start, end] = [0, text.length];
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return text.slice(start, end);
}

const nameOf = (raw: string) =>
  trimBlanks(raw.slice(0, Math.max(0, raw.indexOf(":")))).toLowerCase();

/** Splits a mail at its first empty line. Accepts any bytes. */
export function splitMail(bytes: Uint8Array): SplitMail {
  const text = Buffer.from(bytes).toString("latin1").replaceAll(/\r?\n/g, "\r\n");
  // A mail without fields starts with the empty line.
  const end = text.startsWith("\r\n") ? -2 : text.indexOf("\r\n\r\n");
  const header = end === -1 ? text : text.slice(0, Math.max(0, end));
  const fields = header
    .split(/\r\n(?![ \t])/, MAX_FIELDS)
    .map((raw: string) => ({ name: nameOf(raw), raw }));
  return { fields, body: end === -1 ? "" : text.slice(end + 4) };
}

/** Returns the value of a field, unfolded. */
export const valueOf = (raw: string) =>
  trimBlanks(raw.slice(raw.indexOf(":") + 1).replaceAll("\r\n", ""));

/** Canonicalizes a field, without its line end. */
export function canonicalField(raw: string, form: Canonicalization): string {
  if (form === "simple") return raw;
  return `${nameOf(raw)}:${valueOf(raw).replaceAll(/[ \t]+/g, " ")}`;
}

export function canonicalBody(body: string, form: Canonicalization): string {
  const lines = body.split("\r\n");
  const spaced =
    form === "simple"
      ? lines
      : lines.map((line) => line.replaceAll(/[ \t]+/g, " ").replace(/ $/, ""));
  let length = spaced.length;
  while (length > 0 && spaced[length - 1] === "") length -= 1;
  if (length === 0) return form === "simple" ? "\r\n" : "";
  return `${spaced.slice(0, length).join("\r\n")}\r\n`;
}
