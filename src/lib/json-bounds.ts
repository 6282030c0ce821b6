/*
 * Checks the structure of JSON text (RFC 8259) before the parser builds objects, in one pass
 * without allocation. Otherwise a few megabytes of hostile brackets would become a hundred
 * megabytes of objects.
 */

import { faultOf } from "../messages/faults.ts";
import type { Message } from "../messages/message.ts";

/** Limits of a JSON text. */
export interface JsonBounds {
  /** Maximum nesting depth of lists and objects. */
  levels: number;
  /** Maximum entries of one list or object. */
  entries: number;
  /** Maximum values in total. */
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
 * Returns the first limit that a UTF-8 JSON text exceeds; undefined if none. Invalid JSON is left
 * to the parser.
 */
export function findExcess(text: Uint8Array, bounds: JsonBounds): Message | undefined {
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
        if (entries.length > bounds.levels) return faultOf("nested_deeper", { max: bounds.levels });
        break;
      case COMMA: {
        values += 1;
        const count = (entries.pop() ?? 0) + 1;
        entries.push(count);
        if (count > bounds.entries) return faultOf("more_entries", { max: bounds.entries });
        break;
      }
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        entries.pop();
        break;
      default:
    }
    if (values > bounds.values) return faultOf("more_values", { max: bounds.values });
  }
  return undefined;
}

/**
 * Returns the position of the quote that ends the string starting at `start`, or the end of the
 * text.
 */
export function endOfString(text: Uint8Array, start: number): number {
  let end = start;
  do {
    end = text.indexOf(QUOTE, end + 1);
    if (end === -1) return text.length;
  } while (isEscaped(text, end));
  return end;
}

/** Returns true if an odd number of backslashes precedes a quote (RFC 8259 §7). */
function isEscaped(text: Uint8Array, quote: number): boolean {
  let first = quote;
  while (text[first - 1] === BACKSLASH) first -= 1;
  return (quote - first) % 2 === 1;
}
