/** Buffers bytes that arrive in chunks of any size, and are taken in pieces of a known size. */
export class ByteQueue {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array[] = [];
  #length = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Stops consuming the chunks. */
  async end(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Takes the next bytes. Throws SyntaxError if fewer arrive. */
  async take(bytes: number): Promise<Uint8Array> {
    while (this.#length < bytes) {
      const { done, value } = await this.#chunks.next();
      if (done === true) throw new SyntaxError("the body ends too early");
      this.#held.push(value);
      this.#length += value.length;
    }
    const taken = new Uint8Array(bytes);
    for (let at = 0; at < bytes;) {
      const [first = taken] = this.#held;
      const part = first.subarray(0, bytes - at);
      taken.set(part, at);
      at += part.length;
      if (part.length === first.length) this.#held.shift();
      else this.#held[0] = first.subarray(part.length);
    }
    this.#length -= bytes;
    return taken;
  }
}
