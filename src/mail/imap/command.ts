/**
 * A command in pieces: the first is sent at once, each other when the server requests it with "+"
 * (RFC 3501 section 7.5). The pieces include their CRLF but not the tag.
 */
export type Command = [string, ...string[]];

/** Text that can be quoted: no CR or LF, and 7-bit only (RFC 3501 section 4.3). */
const QUOTABLE = /^[^\r\n\P{ASCII}]*$/u;

const encoder = new TextEncoder();

/** Builds a command whose arguments need no quoting. */
export function plainCommand(text: string): Command {
  return [`${text}\r\n`];
}

/**
 * Builds a command with string arguments: quoted where possible, else UTF-8 literals. The strings
 * contain no NUL.
 */
export function commandWithStrings(name: string, values: string[]): Command {
  const pieces: Command = [name];
  const append = (text: string) => {
    pieces[pieces.length - 1] += text;
  };
  for (const value of values) {
    if (QUOTABLE.test(value)) {
      append(` ${quote(value)}`);
    } else {
      append(` {${encoder.encode(value).length}}\r\n`);
      pieces.push(value);
    }
  }
  append("\r\n");
  return pieces;
}

/** Quotes ASCII text without CR, LF or NUL. */
export function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
