/*
 * Parses JSON (RFC 8259) incrementally from bytes. As a string, a large body takes two bytes per
 * character as soon as one is beyond Latin-1, and stays in memory along with the parsed values.
 * Here the outer lists and objects are split as bytes, and only one small piece at a time becomes a
 * string. The result equals that of JSON.parse.
 */
import { decodeBase64 } from "./encoding.ts";
import { endOfString } from "./json-bounds.ts";

/** A text to parse, and the size above which its lists and objects are split. */
interface Source {
  text: Uint8Array;
  pieceBytes: number;
}

/** A range of a text; `end` is exclusive. */
type Range = readonly [start: number, end: number];

/** Several small entries of a list or an object, or one large entry, whose value starts later. */
interface Piece {
  range: Range;
  largeAt: number | undefined;
}

/**
 * Field names that lead from the current value to base64 texts; lists on the path have no name.
 * Undefined off the path.
 */
type Way = readonly string[] | undefined;

/** Maximum size parsed at once, except for a single value. */
const PIECE_BYTES = 65_536;
/** Number of outer levels to split: an object, its lists, and the objects in them. */
const OUTER_LEVELS = 3;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses valid UTF-8 JSON. Returns undefined for whitespace only. A large base64 text at the path
 * `base64At` becomes its decoded bytes. Throws SyntaxError for invalid JSON.
 */
export function parseJson(
  text: Uint8Array,
  base64At?: readonly string[],
  pieceBytes = PIECE_BYTES,
): unknown {
  const range = rangeOfAll(text);
  return range && parseValue({ text, pieceBytes }, range, OUTER_LEVELS, base64At);
}

/**
 * Parses valid UTF-8 JSON whose values are consumed sequentially; a list becomes a JsonList. Throws
 * SyntaxError for invalid JSON.
 */
export function parseJsonList(text: Uint8Array, pieceBytes = PIECE_BYTES): unknown {
  const range = rangeOfAll(text);
  if (!range || text[range[0]] !== OPEN_LIST) return parseJson(text, undefined, pieceBytes);
  const ranges: Range[] = [];
  let length = 0;
  for (const piece of piecesOf({ text, pieceBytes }, range)) {
    ranges.push(piece.range);
    length += parseEntries(text, piece.range).length;
  }
  return new JsonList(text, ranges, length);
}

/** A list of JSON values that are parsed on each iteration; only their text is kept in memory. */
export class JsonList {
  readonly length: number;
  readonly #text: Uint8Array;
  readonly #ranges: readonly Range[];

  constructor(text: Uint8Array, ranges: readonly Range[], length: number) {
    this.#text = text;
    this.#ranges = ranges;
    this.length = length;
  }

  *[Symbol.iterator](): Generator {
    for (const range of this.#ranges) yield* parseEntries(this.#text, range);
  }
}

/** Finds the single value of a text; undefined for whitespace only. */
function rangeOfAll(text: Uint8Array): Range | undefined {
  const start = skipWhiteSpace(text, 0);
  if (start === text.length) return undefined;
  const end = endOfValue(text, start);
  if (skipWhiteSpace(text, end) < text.length) throw new SyntaxError("text follows the value");
  return [start, end];
}

function parseValue(source: Source, range: Range, levels: number, way: Way): unknown {
  const { text, pieceBytes } = source;
  const [start, end] = range;
  if (end - start > pieceBytes) {
    const first = text[start];
    if (first === OPEN_LIST && levels > 0) return parseList(source, range, levels, way);
    if (first === OPEN_OBJECT && levels > 0) return parseObject(source, range, levels, way);
    const isBase64 = first === QUOTE && way?.length === 0;
    const bytes = isBase64 ? decodeBase64(text.subarray(start + 1, end - 1)) : undefined;
    if (bytes) return bytes;
  }
  return JSON.parse(textOf(text, range));
}

function parseList(source: Source, range: Range, levels: number, way: Way): unknown[] {
  const list: unknown[] = [];
  for (const { range: part, largeAt } of piecesOf(source, range)) {
    if (largeAt === undefined)
      for (const value of parseEntries(source.text, part)) list.push(value);
    else list.push(parseValue(source, part, levels - 1, way));
  }
  return list;
}

function parseObject(source: Source, range: Range, levels: number, way: Way): unknown {
  const { text } = source;
  const fields: [string, unknown][] = [];
  for (const { range: part, largeAt } of piecesOf(source, range)) {
    if (largeAt === undefined) {
      const small: object = JSON.parse(`{${textOf(text, part)}}`);
      for (const field of Object.entries(small)) fields.push(field);
    } else {
      const [start, end] = part;
      const name = String(JSON.parse(textOf(text, [start, endOfValue(text, start)])));
      const below = way?.[0] === name ? way.slice(1) : undefined;
      fields.push([name, parseValue(source, [largeAt, end], levels - 1, below)]);
    }
  }
  return Object.fromEntries(fields);
}

/** Parses consecutive entries of a list. */
const parseEntries = (text: Uint8Array, range: Range): unknown[] =>
  JSON.parse(`[${textOf(text, range)}]`);

const textOf = (text: Uint8Array, [start, end]: Range) => decoder.decode(text.subarray(start, end));

/**
 * Yields the entries of a list or an object in order. Validates only what is between the pieces;
 * parsing validates their contents.
 */
function* piecesOf({ text, pieceBytes }: Source, [opening]: Range): Generator<Piece> {
  const isObject = text[opening] === OPEN_OBJECT;
  const close = isObject ? CLOSE_OBJECT : CLOSE_LIST;
  let at = skipWhiteSpace(text, opening + 1);
  if (text[at] === close) return;
  let small: Range | undefined;
  for (;;) {
    const start = at;
    const valueAt = isObject ? passName(text, start) : start;
    const end = endOfValue(text, valueAt);
    if (end === valueAt) throw new SyntaxError("a value is missing");
    const isLarge = end - start > pieceBytes;
    if (small && (isLarge || end - small[0] > pieceBytes)) {
      yield { range: small, largeAt: undefined };
      small = undefined;
    }
    if (isLarge) yield { range: [start, end], largeAt: valueAt };
    else small = [small?.[0] ?? start, end];
    at = skipWhiteSpace(text, end);
    if (text[at] === close) break;
    if (text[at] !== COMMA) throw new SyntaxError("a comma is missing");
    at = skipWhiteSpace(text, at + 1);
  }
  if (small) yield { range: small, largeAt: undefined };
}

/** Returns where the value of a field starts. */
function passName(text: Uint8Array, start: number): number {
  if (text[start] !== QUOTE) throw new SyntaxError("a name is missing");
  const colon = skipWhiteSpace(text, endOfValue(text, start));
  if (text[colon] !== COLON) throw new SyntaxError("a colon is missing");
  return skipWhiteSpace(text, colon + 1);
}

/** Returns the end of the value at `start`, or of whatever is there instead. */
function endOfValue(text: Uint8Array, start: number): number {
  let levels = 0;
  for (let at = start; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE) {
      at = endOfString(text, at);
      if (levels === 0) return Math.min(text.length, at + 1);
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      levels += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (levels <= 1) return levels === 0 ? at : at + 1;
      levels -= 1;
    } else if (levels === 0 && (byte === COMMA || isWhiteSpace(byte))) {
      return at;
    }
  }
  return text.length;
}

function skipWhiteSpace(text: Uint8Array, start: number): number {
  let at = start;
  while (isWhiteSpace(text[at])) at += 1;
  return at;
}

const isWhiteSpace = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
