/**
 * Header lines: RFC 5322 sections 2.2 and 3 with encoded words (RFC 2047) and UTF-8 addresses (RFC
 * 6532).
 *
 * Values come from callers and their subscribers, who may try to end a line and start another
 * header or the body. Every builder calls `checkHeader`, which rejects CR, LF and NUL, and `fold`
 * keeps every line within 998 octets.
 */
import { refusal } from "../errors.ts";
import type { Mailbox } from "./address.ts";
import { encodedWords } from "./encoded-word.ts";

/**
 * Preferred line length in characters without CRLF: the limit of RFC 2047 section 2 for a line with
 * an encoded word, which is two below the general recommendation of RFC 5322 section 2.1.1.
 */
const LINE_LENGTH = 76;
/** Maximum line without CRLF, in octets (RFC 5322 section 2.1.1). */
const MAX_LINE_OCTETS = 998;
/** Maximum quoted display name in characters. Longer names become encoded words, which can fold. */
const MAX_QUOTED_NAME_LENGTH = 60;
/** Maximum run without a space in plain text. Text with a longer run becomes encoded words. */
const MAX_PLAIN_WORD_LENGTH = 256;
/** Maximum header name in characters; our own limit. */
const MAX_NAME_LENGTH = 76;

/**
 * A header name. RFC 5322 allows printable ASCII without a colon; a token (RFC 9110 section 5.6.2)
 * is narrower.
 */
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const LINE_BREAK_OR_NUL = /[\r\n\0]/;
const PRINTABLE_ASCII = /^[ -~]*$/;
/** Printable ASCII and tabs: all that a header may contain unencoded (RFC 5322 section 2.2). */
const ASCII = /^[\t -~]*$/;
/** The id of a list: atoms between dots (RFC 2919 section 2). */
const LIST_ID = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/;
const ATOMS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/**
 * Rejects a header that could break out of its line: a name that is not a token, or a raw value
 * with CR, LF or NUL. Throws AppError.
 */
export function checkHeader(name: string, ...values: readonly string[]): void {
  if (!TOKEN.test(name) || name.length > MAX_NAME_LENGTH) {
    throw refusal("invalid_header_name", {});
  }
  if (values.some((value) => LINE_BREAK_OR_NUL.test(value))) {
    throw refusal("header_with_line_break", { name });
  }
}

/**
 * Builds a header of free text, such as Subject, with encoded words where it is not plain ASCII. It
 * decodes to the exact text, including spaces. Throws AppError on CR, LF or NUL. Source: RFC 5322
 * section 3.6.5, RFC 2047 section 5 (1).
 */
export function unstructuredHeader(name: string, value: string): string {
  checkHeader(name, value);
  if (value === "") return fold(name, []);
  return fold(name, isPlain(value) ? value.split(" ") : encodedWords(value));
}

/**
 * Builds a custom header. ASCII stays unencoded, because the header may be structured (RFC 2047
 * section 5); any other text becomes encoded words. Throws AppError on CR, LF or NUL, and on a run
 * without a space that does not fit on a line.
 */
export function callersHeader(name: string, value: string): string {
  checkHeader(name, value);
  const text = value.trim();
  return text !== "" && ASCII.test(value)
    ? fold(name, text.split(" "))
    : unstructuredHeader(name, value);
}

/**
 * Builds a header of mailboxes, such as From or To; returns "" for an empty list. Trims names and
 * quotes or encodes them as needed. Throws AppError on CR, LF or NUL in a name or address. Source:
 * RFC 5322 sections 3.4 and 3.6.3.
 */
export function mailboxHeader(name: string, mailboxes: readonly Mailbox[]): string {
  if (mailboxes.length === 0) return "";
  const last = mailboxes.length - 1;
  const words = mailboxes.flatMap((mailbox, index) => {
    checkHeader(name, mailbox.name, mailbox.address);
    return index === last ? mailboxWords(mailbox) : withComma(mailboxWords(mailbox));
  });
  return fold(name, words);
}

/**
 * Builds the List-Id header (RFC 2919): a name for people, and an id that never changes. Throws
 * AppError on CR, LF or NUL, and on an id that is not a dot-atom.
 */
export function listIdHeader(name: string, id: string): string {
  checkHeader("List-Id", name, id);
  if (!LIST_ID.test(id)) throw refusal("malformed_header", { name: "List-Id" });
  const trimmed = name.trim();
  return fold("List-Id", [...(trimmed === "" ? [] : phraseWords(trimmed)), `<${id}>`]);
}

/**
 * Builds a header that must not be encoded (Message-ID, Date, List-*, Content-*). The line may fold
 * between the given words. Throws AppError on anything outside printable ASCII and on a word that
 * does not fit on a line.
 */
export function structuredHeader(name: string, ...words: readonly string[]): string {
  checkHeader(name, ...words);
  if (!words.every((word) => PRINTABLE_ASCII.test(word))) {
    throw refusal("header_not_ascii", { name });
  }
  return fold(name, words);
}

/** Quotes a string for structured headers (RFC 5322 section 3.2.4). */
export function quotedString(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/**
 * Returns true for text that survives unencoded: printable ASCII, single inner spaces, and nothing
 * that looks like an encoded word.
 */
function isPlain(text: string): boolean {
  return (
    PRINTABLE_ASCII.test(text) &&
    !/^ |  | $|=\?/.test(text) &&
    (text.length <= MAX_PLAIN_WORD_LENGTH ||
      !text.split(" ").some((word) => word.length > MAX_PLAIN_WORD_LENGTH))
  );
}

function mailboxWords({ name, address }: Mailbox): string[] {
  const trimmed = name.trim();
  return trimmed === "" ? [address] : [...phraseWords(trimmed), `<${address}>`];
}

function phraseWords(name: string): string[] {
  if (isPlain(name)) {
    if (ATOMS.test(name)) return name.split(" ");
    if (name.length <= MAX_QUOTED_NAME_LENGTH) return [quotedString(name)];
  }
  return encodedWords(name);
}

const withComma = (words: readonly string[]) =>
  words.map((word, index) => (index === words.length - 1 ? `${word},` : word));

/** Joins words with spaces into CRLF lines, of at most 76 characters where the words allow it. */
function fold(name: string, words: readonly string[]): string {
  const unfolded = [`${name}:`, ...words].join(" ");
  if (unfolded.length <= LINE_LENGTH) return `${unfolded}\r\n`;
  const lines: string[] = [];
  let line = `${name}:`;
  for (const [index, word] of words.entries()) {
    // Keeps a long first word on the line of the name: some parsers treat a bare `Name:` as an
    // empty header.
    const mustFit = index === 0 && !word.startsWith("=?") ? MAX_LINE_OCTETS : LINE_LENGTH;
    // An empty word is an extra space, which must not start a line.
    if (word !== "" && line.length + 1 + word.length > mustFit) {
      lines.push(line);
      line = "";
    }
    line += ` ${word}`;
  }
  lines.push(line);
  if (lines.some((folded) => folded.length > MAX_LINE_OCTETS)) {
    throw refusal("header_line_too_long", { name, max: MAX_LINE_OCTETS });
  }
  return `${lines.join("\r\n")}\r\n`;
}
