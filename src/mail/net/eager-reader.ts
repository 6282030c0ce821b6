type Chunk = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>>;

/** A stream reader that can start a read before the result is needed. */
export class EagerReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  /** A started read that `read` has not taken over. */
  #begun: Promise<Chunk> | undefined;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader;
  }

  /** Reads the next chunk; takes over a read that was already started. */
  read(): Promise<Chunk> {
    const reading = this.#begun ?? this.#reader.read();
    this.#begun = undefined;
    return reading;
  }

  /** Starts a read. One of the callbacks receives the result, unless `read` takes it over first. */
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
