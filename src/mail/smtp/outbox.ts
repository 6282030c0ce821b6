import type { MessageData } from "../message-data.ts";
import type { Connection } from "../net/connection.ts";
import { joinBytes, ONE_WRITE_BYTES_MAX, writeChunks } from "./command.ts";

/** The last byte of every message, which ends its last line. */
const LAST_BYTE = Uint8Array.of(10);

/** A small message on its way to a connection. */
interface Parcel {
  pieces: Uint8Array[];
  handOver: () => void;
  written: PromiseWithResolvers<void>;
}

/**
 * Writes messages in the order of their posting. Small ones that are posted during a write share
 * the next one, because a write costs more than its bytes.
 */
export class Outbox {
  readonly #connection: Connection;
  readonly #waiting: Parcel[] = [];
  #isWriting = false;
  #last: Promise<void> = Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Posts the pieces of a small message and returns the promise of their write. Calls `handOver`
   * right before it, or never if the peer is gone by then.
   */
  post(pieces: Uint8Array[], handOver: () => void): Promise<void> {
    const written = Promise.withResolvers<void>();
    this.#waiting.push({ pieces, handOver, written });
    this.#last = written.promise;
    if (!this.#isWriting) void this.#writeAll();
    return written.promise;
  }

  /**
   * Writes a large message in pieces, and its last byte by itself. Nothing may be posted until
   * then. Calls `begin` before the first byte and `handOver` before the last.
   */
  async postLarge(
    commands: Uint8Array,
    data: MessageData,
    { begin, handOver }: { begin: () => void; handOver: () => void },
  ): Promise<void> {
    await this.#last;
    begin();
    await this.#connection.write(commands);
    await writeChunks(this.#connection, data.chunks(), data.length - LAST_BYTE.length);
    if (!this.#connection.writable) return;
    handOver();
    await this.#connection.write(LAST_BYTE);
  }

  /** Never rejects: the promises of the parcels report an error. */
  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const parcels = this.#takeSome();
      try {
        await this.#write(parcels);
        for (const { written } of parcels) written.resolve();
      } catch (error) {
        for (const { written } of parcels) written.reject(error);
      }
    }
    this.#isWriting = false;
  }

  async #write(parcels: Parcel[]): Promise<void> {
    if (!this.#connection.writable) return;
    for (const { handOver } of parcels) handOver();
    await this.#connection.write(joinBytes(...parcels.flatMap(({ pieces }) => pieces)));
  }

  /** Takes the first parcel and those behind it that fit into its write. */
  #takeSome(): Parcel[] {
    let bytes = 0;
    let count = 0;
    for (const { pieces } of this.#waiting) {
      bytes += pieces.reduce((sum, { length }) => sum + length, 0);
      if (count > 0 && bytes > ONE_WRITE_BYTES_MAX) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}
