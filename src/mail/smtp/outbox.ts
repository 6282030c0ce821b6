import type { MessageData } from "../message-data.ts";
import type { Connection } from "../net/connection.ts";
import { joinBytes, ONE_WRITE_BYTES_MAX, writeChunks } from "./command.ts";

/** The last byte of every message, which ends its last line. */
const LAST_BYTE = Uint8Array.of(10);

/** What a message learns about its write. Neither is called if the peer is gone by then. */
interface WriteWatch {
  /** Right before the first byte of a large message. */
  begin: () => void;
  /** Right before the write of the last byte. */
  handOver: () => void;
}

/** A message on its way to a connection. */
interface Parcel extends WriteWatch {
  commands: Uint8Array;
  data: MessageData;
  written: PromiseWithResolvers<void>;
}

/**
 * Writes messages in the order of their posting. Small ones that are posted during a write share
 * the next one, because a write costs more than its bytes. A large one is written in pieces, and
 * its last byte by itself.
 */
export class Outbox {
  readonly #connection: Connection;
  readonly #waiting: Parcel[] = [];
  #isWriting = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Posts a message behind its commands and returns the promise of its write. */
  post(commands: Uint8Array, data: MessageData, watch: WriteWatch): Promise<void> {
    const written = Promise.withResolvers<void>();
    this.#waiting.push({ commands, data, written, ...watch });
    if (!this.#isWriting) void this.#writeAll();
    return written.promise;
  }

  /** Never rejects: the promises of the parcels report an error. */
  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const parcels = this.#takeSome();
      const [first] = parcels;
      const isLarge = first && first.data.length > ONE_WRITE_BYTES_MAX;
      try {
        if (this.#connection.writable)
          await (isLarge ? this.#writeLarge(first) : this.#write(parcels));
        for (const { written } of parcels) written.resolve();
      } catch (error) {
        for (const { written } of parcels) written.reject(error);
      }
    }
    this.#isWriting = false;
  }

  async #write(parcels: Parcel[]): Promise<void> {
    for (const { handOver } of parcels) handOver();
    const pieces = parcels.flatMap(({ commands, data }) => [commands, data.toBytes()]);
    await this.#connection.write(joinBytes(...pieces));
  }

  async #writeLarge({ commands, data, begin, handOver }: Parcel): Promise<void> {
    begin();
    await this.#connection.write(commands);
    await writeChunks(this.#connection, data.chunks(), data.length - LAST_BYTE.length);
    if (!this.#connection.writable) return;
    handOver();
    await this.#connection.write(LAST_BYTE);
  }

  /** Takes the first parcel and those behind it that fit into its write. */
  #takeSome(): Parcel[] {
    let bytes = 0;
    let count = 0;
    for (const { commands, data } of this.#waiting) {
      bytes += commands.length + data.length;
      if (count > 0 && bytes > ONE_WRITE_BYTES_MAX) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}
