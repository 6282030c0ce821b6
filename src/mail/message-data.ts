import { base64Chunks, base64Length } from "./encode.ts";

/** A file of a message. Its base64 exists only in chunks, while the message is read. */
export class Base64File {
  readonly content: Uint8Array;

  constructor(content: Uint8Array) {
    this.content = content;
  }

  /** The size in base64. */
  get length(): number {
    return base64Length(this.content.length);
  }
}

type Part = Uint8Array | Base64File;

/** A part in a form that calls between Workers can carry. */
export type PortablePart = Uint8Array | { file: Uint8Array };

/** Largest chunk of bytes that a message holds as they are. */
const CHUNK_BYTES_MAX = 65_536;

const LF = 10;
const CR = 13;
/** The eighth bits of four bytes. */
const EIGHTH_BITS = 0x80808080;

/** The bytes of a message with CRLF line ends. The last line always has its end. */
export class MessageData {
  /** The size in bytes, as the wire carries it without dot-stuffing. */
  readonly length: number;
  readonly #parts: readonly Part[];

  /** Holds the parts one after the other, and ends the last line if its end is missing. */
  constructor(parts: readonly Part[]) {
    const lineEnd = missingLineEnd(parts);
    this.#parts = lineEnd === undefined ? parts : [...parts, lineEnd];
    this.length = this.#parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** Builds the message whose parts `portableParts` returned. */
  static fromPortable(parts: readonly PortablePart[]): MessageData {
    return new MessageData(
      parts.map((part) => (part instanceof Uint8Array ? part : new Base64File(part.file))),
    );
  }

  /**
   * Returns the parts for a call that copies its arguments. A copy of a view takes the whole buffer
   * along, so a view of a larger buffer becomes a buffer of its own.
   */
  portableParts(): PortablePart[] {
    const alone = (bytes: Uint8Array) =>
      bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
    return this.#parts.map((part) =>
      part instanceof Uint8Array ? alone(part) : { file: alone(part.content) },
    );
  }

  /** True when the message needs 8BITMIME (RFC 6152). Base64 is 7-bit. */
  get hasEightBitByte(): boolean {
    return this.#parts.some((part) => part instanceof Uint8Array && hasEightBitByte(part));
  }

  /**
   * Yields all bytes in chunks of at most 80 KB, as often as it is called. A chunk is valid until
   * the next one is requested.
   */
  *chunks(): Generator<Uint8Array> {
    for (const part of this.#parts) {
      if (part instanceof Base64File) yield* base64Chunks(part.content);
      else yield* slices(part);
    }
  }

  /** Returns all bytes at once, for a small message; without a file this copies nothing. */
  toBytes(): Uint8Array {
    const [only] = this.#parts;
    if (only instanceof Uint8Array && this.#parts.length === 1) return only;
    const bytes = new Uint8Array(this.length);
    let end = 0;
    for (const chunk of this.chunks()) {
      bytes.set(chunk, end);
      end += chunk.length;
    }
    return bytes;
  }
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES_MAX) {
    yield bytes.subarray(at, at + CHUNK_BYTES_MAX);
  }
}

/** Returns the bytes that the end of the last line lacks; undefined when it is complete. */
function missingLineEnd(parts: readonly Part[]): Uint8Array | undefined {
  const [last, before] = parts.flatMap(lastTwoBytes).toReversed();
  if (last === LF && before === CR) return undefined;
  return last === CR ? Uint8Array.of(LF) : Uint8Array.of(CR, LF);
}

/**
 * Returns the last bytes, at most two; for base64, which ends in no line break, any two will do.
 */
function lastTwoBytes(part: Part): number[] {
  if (part instanceof Uint8Array) return [...part.subarray(-2)];
  return part.length === 0 ? [] : [0, 0];
}

/** Checks four bytes at a time: nearly every message is 7-bit to its end. */
function hasEightBitByte(data: Uint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const wordsEnd = data.length - (data.length % 4);
  for (let at = 0; at < wordsEnd; at += 4) {
    if ((view.getInt32(at) & EIGHTH_BITS) !== 0) return true;
  }
  return data.subarray(wordsEnd).some((byte) => byte > 0x7f);
}
