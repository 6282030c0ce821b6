/**
 * A command as the pieces in which it is sent: the first at once, each other when the server
 * requests it with "+" (RFC 3501 section 7.5). No piece has the tag; each has its CRLF.
 */
export type Command = [string, ...string[]];

/** Largest literal that LITERAL- accepts without a request (RFC 7888 section 5). */
const UNASKED_BYTES_MAX = 4_096;
/** Text that quotes may hold: no CR or LF, and 7 bits only (RFC 3501 section 4.3). */
const QUOTABLE = /^[^\r\n\P{ASCII}]*$/u;

const encoder = new TextEncoder();

/** Builds a command whose arguments need no quotes. */
export function plainCommand(text: string): Command {
  return [`${text}\r\n`];
}

/**
 * Builds a command with string arguments: quoted where possible, else UTF-8 literals. The strings
 * have no NUL.
 */
export function commandWithStrings(
  name: string,
  values: string[],
  capabilities: ReadonlySet<string>,
): Command {
  const pieces: Command = [name];
  const append = (text: string) => {
    pieces[pieces.length - 1] += text;
  };
  for (const value of values) {
    if (QUOTABLE.test(value)) {
      append(` ${quote(value)}`);
    } else if (takesUnasked(value, capabilities)) {
      append(` {${byteLength(value)}+}\r\n${value}`);
    } else {
      append(` {${byteLength(value)}}\r\n`);
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

function takesUnasked(value: string, capabilities: ReadonlySet<string>): boolean {
  if (byteLength(value) > UNASKED_BYTES_MAX) return false;
  return capabilities.has("LITERAL+") || capabilities.has("LITERAL-");
}

function byteLength(text: string): number {
  return encoder.encode(text).length;
}
