import { Buffer } from "node:buffer";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { EmailAddress } from "../../../../mail/address.ts";
import { splitBySize } from "../../../../lib/split-by-size.ts";
import type { BatchRecipient } from "./batch-recipient.ts";

/**
 * The largest number of recipients in a chunk, and the largest size of their JSON. Every write of a
 * worker rewrites the row of its chunk, so a chunk with large data has fewer recipients.
 */
const CHUNK_LIMIT = { items: 1_000, bytes: 256 * 1_024 };

/** A recipient in stored form: address, name and data. */
type Packed = [address: string, name: string, data: BatchRecipient["data"]];

/** The recipients of one chunk, packed. */
export interface PackedChunk {
  recipients: string;
  count: number;
}

/** Packs recipients into chunks, one chunk at a time, so that only one chunk is in memory twice. */
export function* packChunks(recipients: BatchRecipient[]): Generator<PackedChunk> {
  const sizeOf = (text: string) => ({ items: 1, bytes: Buffer.byteLength(text) + 1 });
  for (const texts of splitBySize(textsOf(recipients), CHUNK_LIMIT, sizeOf)) {
    const packed = deflateRawSync(`[${texts.join()}]`);
    yield { recipients: packed.toString("base64"), count: texts.length };
  }
}

function* textsOf(recipients: BatchRecipient[]): Generator<string> {
  for (const { to, data } of recipients)
    yield JSON.stringify([to.address, to.name, data] satisfies Packed);
}

/** Returns the recipients of a chunk. */
export function unpackRecipients(packed: string | null): BatchRecipient[] {
  if (packed === null) throw new Error("a chunk of a batch has no recipients");
  const json = inflateRawSync(Buffer.from(packed, "base64")).toString();
  // `packChunks` wrote it, from addresses that were already parsed.
  const all = JSON.parse(json) as [
    address: EmailAddress,
    ...rest: [string, BatchRecipient["data"]],
  ][];
  return all.map(([address, name, data]) => ({ to: { address, name }, data }));
}
