import { base64Chunks, base64Length } from "./encode.ts";

/** An attached file. Its base64 exists only in chunks, while the message is read. */
export class Base64File {
  readonly content: Uint8Array;

  constructor(content: Uint8Array) {
    this.content = content;
  }

  /** Size in base64. */
  get length(): number {
    return base64Length(this.content.length);
  }
}

type Part = Uint8Array | Base64File;

/** A part in a form that RPC between Workers can carry. */
export type PortablePart = Uint8Array | { file: Uint8Array };

/** Maximum chunk of bytes that a message holds directly. */
const CHUNK_BYTES_MAX = 65_536;

const LF = 10;
const CR = 13;
/** Mask for the high bits of four bytes. */
const EIGHTH_BITS = 0x80808080;

/** The bytes of a message with CRLF line endings. The last line is always terminated. */
export class MessageData {
  /** Size in bytes on the wire, before dot-stuffing. */
  readonly length: number;
  readonly #parts: readonly Part[];

  /** Concatenates the parts, and terminates the last line if necessary. */
  constructor(parts: readonly Part[]) {
    const lineEnd = missingLineEnd(parts);
    this.#parts = lineEnd === undefined ? parts : [...parts, lineEnd];
    this.length = this.#parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** Rebuilds a message from the result of `portableParts`. */
  static fromPortable(parts: readonly PortablePart[]): MessageData {
    return new MessageData(
      parts.map((part) => (part instanceof Uint8Array ? part : new Base64File(part.file))),
    );
  }

  /**
   * Returns the parts for an RPC call, which copies its arguments. Copying a view copies its whole
   * buffer, so a view of a larger buffer becomes a buffer of its own.
   */
  portableParts(): PortablePart[] {
    const alone = (bytes: Uint8Array) =>
      bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
    return this.#parts.map((part) =>
      part instanceof Uint8Array ? alone(part) : { file: alone(part.content) },
    );
  }

  /** True if the message needs 8BITMIME (RFC 6152). Base64 is 7-bit. */
  get hasEightBitByte(): boolean {
    return this.#parts.some((part) => part instanceof Uint8Array && hasEightBitByte(part));
  }

  /**
   * Yields all bytes in chunks of at most 80 KB; can be called repeatedly. A chunk is valid until
   * the next one is requested.
   */
  *chunks(): Generator<Uint8Array> {
    for (const part of this.#parts) {
      if (part instanceof Base64File) yield* base64Chunks(part.content);
      else yield* slices(part);
    }
  }

  /** Returns all bytes at once, for small messages; copies nothing if there is no file. */
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

/** Returns the missing bytes of the last line ending; undefined if it is complete. */
function missingLineEnd(parts: readonly Part[]): Uint8Array | undefined {
  const [last, before] = parts.flatMap(lastTwoBytes).toReversed();
  if (last === LF && before === CR) return undefined;
  return last === CR ? Uint8Array.of(LF) : Uint8Array.of(CR, LF);
}

/** Returns up to two last bytes. Base64 never ends in a line break, so any two serve. */
function lastTwoBytes(part: Part): number[] {
  if (part instanceof Uint8Array) return [...part.subarray(-2)];
  return part.length === 0 ? [] : [0, 0];
}

/** Checks four bytes at a time, because nearly every message is 7-bit throughout. */
function hasEightBitByte(data: Uint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const wordsEnd = data.length - (data.length % 4);
  for (let at = 0; at < wordsEnd; at += 4) {
    if ((view.getInt32(at) & EIGHTH_BITS) !== 0) return true;
  }
  return data.subarray(wordsEnd).some((byte) => byte > 0x7f);
}
