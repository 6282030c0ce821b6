/*
 * A look at JSON text (RFC 8259) before anything is made of it: one pass, no memory. A few megabytes
 * of brackets would otherwise become a hundred megabytes of objects.
 */

/** How much a JSON text may hold. */
export interface JsonBounds {
  /** Lists and objects within one another. */
  levels: number;
  /** Entries of one list or one object. */
  entries: number;
  /** Values in all. */
  values: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Names the first bound that a JSON text in UTF-8 exceeds, as the end of a sentence about it;
 * undefined when it keeps them all. Text that is no JSON is left to the parser to refuse.
 */
export function findExcess(text: Uint8Array, bounds: JsonBounds): string | undefined {
  const entries: number[] = [];
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        values += 1;
        entries.push(1);
        if (entries.length > bounds.levels) return `is nested deeper than ${bounds.levels} levels`;
        break;
      case COMMA: {
        values += 1;
        const count = (entries.pop() ?? 0) + 1;
        entries.push(count);
        if (count > bounds.entries)
          return `has a list or an object of more than ${bounds.entries} entries`;
        break;
      }
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        entries.pop();
        break;
      default:
    }
    if (values > bounds.values) return `has more than ${bounds.values} values`;
  }
  return undefined;
}

/** The place of the quote that ends the string begun at `start`; the end of the text without one. */
function endOfString(text: Uint8Array, start: number): number {
  let end = start;
  do {
    end = text.indexOf(QUOTE, end + 1);
    if (end === -1) return text.length;
  } while (isEscaped(text, end));
  return end;
}

/** Tells whether an odd number of backslashes stands before a quote (RFC 8259 §7). */
function isEscaped(text: Uint8Array, quote: number): boolean {
  let first = quote;
  while (text[first - 1] === BACKSLASH) first -= 1;
  return (quote - first) % 2 === 1;
}
