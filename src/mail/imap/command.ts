/**
 * A command in the pieces in which it is sent: the first at once, each other when the server asks
 * for it with "+" (RFC 3501 section 7.5). No piece has the tag, each has its CRLF.
 */
export type Command = [string, ...string[]];

/** LITERAL- takes literals without being asked up to this size (RFC 7888 section 5). */
const UNASKED_BYTES_MAX = 4_096;
/** What may stand between quotes: no CR or LF, and 7 bits only (RFC 3501 section 4.3). */
const QUOTABLE = /^[^\r\n\P{ASCII}]*$/u;

const encoder = new TextEncoder();

/** A command without arguments that need quoting. */
export function plainCommand(text: string): Command {
  return [`${text}\r\n`];
}

/** A command with string arguments, each quoted or, where that cannot be, as a UTF-8 literal; no NUL. */
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

/** ASCII text without CR, LF and NUL between quotes. */
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
