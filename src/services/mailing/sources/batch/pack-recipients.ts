import { Buffer } from "node:buffer";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { EmailAddress } from "../../../../mail/address.ts";
import type { Message } from "../../../../messages/message.ts";
import { splitBySize } from "../../../../lib/split-by-size.ts";
import type { BatchRecipient } from "./batch-recipient.ts";

/**
 * The largest number of recipients in a chunk, and the largest size of their JSON. Every write of a
 * worker rewrites the row of its chunk, so a chunk with large data has fewer recipients.
 */
const CHUNK_LIMIT = { items: 1_000, bytes: 256 * 1_024 };

/** A recipient in stored form: address, name and data; or what stands for one, and its fault. */
type Packed =
  | [address: EmailAddress, name: string, data: Record<string, unknown>]
  | [given: string, fault: Message];

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
  for (const one of recipients) {
    const packed: Packed =
      "fault" in one ? [one.given, one.fault] : [one.to.address, one.to.name, one.data];
    yield JSON.stringify(packed);
  }
}

/** Returns the recipients of a chunk. */
export function unpackRecipients(packed: string | null): BatchRecipient[] {
  if (packed === null) throw new Error("a chunk of a batch has no recipients");
  const json = inflateRawSync(Buffer.from(packed, "base64")).toString();
  // `packChunks` wrote it, from addresses that were already parsed.
  const all = JSON.parse(json) as Packed[];
  return all.map((packed) => {
    if (packed.length === 2) return { given: packed[0], fault: packed[1] };
    const [address, name, data] = packed;
    return { to: { address, name }, data };
  });
}
