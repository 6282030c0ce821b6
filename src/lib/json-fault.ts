/** A position in a text: `line` and `column` count from 1. */
export interface TextPosition {
  line: number;
  column: number;
}

const BLANKS = /[ \t\r\n]*/y;
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** The part of a string up to an escape, a quote, or a control character, which JSON excludes. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * Returns the position at which a text stops being the beginning of a JSON text (RFC 8259 §2).
 * Parsers tell it only for some faults.
 */
export function findJsonFault(text: string): TextPosition {
  const fault = new Scanner(text).scan();
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < fault; at = text.indexOf("\n", start)) {
    line += 1;
    start = at + 1;
  }
  return { line, column: fault - start + 1 };
}

const CLOSING: Record<string, string> = { "[": "]", "{": "}" };

/** Reads a text without building its values. Its nesting must be bounded (json-bounds.ts). */
class Scanner {
  readonly #text: string;
  #at = 0;
  /** The closing brackets of the lists and objects around the current place. */
  readonly #open: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the offset of the first character that cannot stand where it does. */
  scan(): number {
    while (this.#value() && this.#separator());
    return this.#at;
  }

  /** Moves behind a scalar, an empty list, or the first scalar in a list or object. */
  #value(): boolean {
    this.#skip(BLANKS);
    const close = CLOSING[this.#text[this.#at] ?? ""];
    if (close === undefined) return this.#skip(LITERAL) || this.#string();
    this.#at += 1;
    if (this.#token(close)) return true;
    this.#open.push(close);
    return this.#name() && this.#value();
  }

  /** Moves behind closing brackets and a comma to the next value. */
  #separator(): boolean {
    while (this.#token(this.#open.at(-1) ?? "")) this.#open.pop();
    return this.#open.length > 0 && this.#token(",") && this.#name();
  }

  /** Moves behind the name of a member; a list has none. */
  #name(): boolean {
    return this.#open.at(-1) === "]" || (this.#string() && this.#token(":"));
  }

  #string(): boolean {
    if (!this.#token('"')) return false;
    do this.#skip(PLAIN);
    while (this.#skip(ESCAPE));
    return this.#character('"');
  }

  #token(character: string): boolean {
    return this.#skip(BLANKS) && this.#character(character);
  }

  #character(character: string): boolean {
    const isNext = this.#text[this.#at] === character;
    if (isNext) this.#at += 1;
    return isNext;
  }

  /** Moves behind what the pattern matches here; false if it does not match. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const isNext = pattern.test(this.#text);
    if (isNext) this.#at = pattern.lastIndex;
    return isNext;
  }
}
