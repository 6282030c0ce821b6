const LF = 10;
const CR = 13;
const FIRST_CAPACITY_BYTES = 1_024;

/** FIFO buffer of received bytes; grows by doubling. */
export class ByteBuffer {
  #bytes = new Uint8Array(FIRST_CAPACITY_BYTES);
  #start = 0;
  #end = 0;
  /**
   * Leading bytes known to contain no line end, so that a slowly arriving line is scanned only
   * once.
   */
  #scanned = 0;

  /** Number of unread bytes. */
  get length(): number {
    return this.#end - this.#start;
  }

  append(chunk: Uint8Array): void {
    if (this.#start === this.#end) this.#start = this.#end = 0;
    if (this.#end + chunk.length > this.#bytes.length) this.#makeRoom(chunk.length);
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /**
   * Takes the first line without its LF or CRLF, or returns undefined if none is complete. The
   * bytes are valid until the next `append`.
   */
  takeLine(): Uint8Array | undefined {
    const waiting = this.#bytes.subarray(this.#start, this.#end);
    const lineEnd = waiting.indexOf(LF, this.#scanned);
    if (lineEnd < 0) {
      this.#scanned = waiting.length;
      return undefined;
    }
    const textEnd = waiting[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
    this.#drop(lineEnd + 1);
    return waiting.subarray(0, textEnd);
  }

  /** Takes the first `count` bytes, or all if there are fewer. */
  take(count: number): Uint8Array {
    const taken = this.#bytes.slice(this.#start, Math.min(this.#start + count, this.#end));
    this.#drop(taken.length);
    return taken;
  }

  #drop(count: number): void {
    this.#start += count;
    this.#scanned = 0;
  }

  #makeRoom(byteCount: number): void {
    const waiting = this.#bytes.subarray(this.#start, this.#end);
    const needed = waiting.length + byteCount;
    const room = needed <= this.#bytes.length / 2 ? this.#bytes.length : needed * 2;
    const bytes = new Uint8Array(room);
    bytes.set(waiting);
    this.#bytes = bytes;
    this.#end = waiting.length;
    this.#start = 0;
  }
}
