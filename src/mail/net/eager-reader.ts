type Chunk = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>>;

/** A reader of a stream that can begin to read before anybody waits for the result. */
export class EagerReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  /** The read that nobody has taken over. */
  #begun: Promise<Chunk> | undefined;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader;
  }

  /** Reads the next chunk; takes over a read that has begun. */
  read(): Promise<Chunk> {
    const reading = this.#begun ?? this.#reader.read();
    this.#begun = undefined;
    return reading;
  }

  /** Begins to read. One of the functions learns the result, unless `read` takes it over first. */
  begin(onChunk: (chunk: Chunk) => void, onError: (error: unknown) => void): void {
    if (this.#begun) return;
    const begun = this.#reader.read();
    this.#begun = begun;
    const unlessTaken = <T>(tell: (result: T) => void) => {
      return (result: T) => {
        if (this.#begun !== begun) return;
        this.#begun = undefined;
        tell(result);
      };
    };
    begun.then(unlessTaken(onChunk), unlessTaken(onError));
  }

  releaseLock(): void {
    this.#reader.releaseLock();
  }
}
