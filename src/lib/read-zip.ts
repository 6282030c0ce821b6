import { crc32, inflateRawSync } from "node:zlib";
import { ByteQueue } from "./byte-queue.ts";
import {
  CENTRAL_HEADER,
  DEFLATED,
  END_RECORD,
  LOCAL_HEADER,
  STORED,
  type ZipEntry,
} from "./zip-format.ts";

/** Limits against zip bombs. */
export interface ZipBounds {
  /** Maximum size of one entry, compressed or not. */
  entryBytes: number;
  /** Maximum total size, uncompressed. */
  totalBytes: number;
  entries: number;
  /** Maximum compression ratio over all entries so far, beyond the size of one entry. */
  ratio: number;
}

/** Maximum length of an entry's name; our own choice. */
const MAX_NAME_BYTES = 100;
const MAX_EXTRA_BYTES = 1_024;

/** Header flags: encrypted, and sizes that follow the entry instead of preceding it. */
const ENCRYPTED = 0x0001;
const SIZES_FOLLOW = 0x0008;

/**
 * Yields the entries of a zip as its bytes arrive, one in memory at a time. Checks the sizes in the
 * headers against the limits first, and rejects an entry that exceeds its declared size. Never uses
 * a name as a path, and ignores the central directory. Throws SyntaxError for an unsupported or
 * truncated file or a wrong checksum, and RangeError beyond the limits.
 */
export async function* readZip(
  chunks: AsyncIterable<Uint8Array>,
  bounds: ZipBounds,
): AsyncGenerator<ZipEntry> {
  const queue = new ByteQueue(chunks);
  try {
    yield* entriesOf(queue, bounds);
  } finally {
    await queue.end();
  }
}

async function* entriesOf(queue: ByteQueue, bounds: ZipBounds): AsyncGenerator<ZipEntry> {
  let left = bounds.totalBytes;
  let owed = -bounds.entryBytes;
  for (let count = 0; ; count++) {
    const signature = viewOf(await queue.take(4)).getUint32(0, true);
    if (signature === CENTRAL_HEADER.signature || signature === END_RECORD.signature) return;
    if (signature !== LOCAL_HEADER.signature) throw new SyntaxError("the body is no zip");
    if (count === bounds.entries) throw new RangeError("the zip has too many files");
    const header = readHeader(viewOf(await queue.take(LOCAL_HEADER.bytes - 4)));
    const largest = Math.max(header.packedBytes, header.bytes);
    if (largest > bounds.entryBytes || header.bytes > left)
      throw new RangeError("the zip is too large unpacked");
    left -= header.bytes;
    owed += header.bytes - bounds.ratio * header.packedBytes;
    if (owed > 0) throw new RangeError("the zip is packed more tightly than an export");
    const name = new TextDecoder().decode(await queue.take(header.nameBytes));
    await queue.take(header.extraBytes);
    yield { name, bytes: unpack(await queue.take(header.packedBytes), header) };
  }
}

interface Header {
  method: number;
  crc: number;
  packedBytes: number;
  bytes: number;
  nameBytes: number;
  extraBytes: number;
}

/** Parses a header after its signature. */
function readHeader(view: DataView): Header {
  const flags = view.getUint16(2, true);
  const method = view.getUint16(4, true);
  if (flags & ENCRYPTED) throw new SyntaxError("the zip is encrypted");
  if (flags & SIZES_FOLLOW)
    throw new SyntaxError("another program packed the zip: take the file as the export wrote it");
  if (method !== DEFLATED && method !== STORED)
    throw new SyntaxError("the zip is packed by an unknown method");
  const nameBytes = view.getUint16(22, true);
  const extraBytes = view.getUint16(24, true);
  if (nameBytes > MAX_NAME_BYTES || extraBytes > MAX_EXTRA_BYTES)
    throw new SyntaxError("the zip has a file that no export has");
  return {
    method,
    crc: view.getUint32(10, true),
    packedBytes: view.getUint32(14, true),
    bytes: view.getUint32(18, true),
    nameBytes,
    extraBytes,
  };
}

function unpack(packed: Uint8Array, { method, bytes: size, crc }: Header): Uint8Array {
  const bytes = method === STORED ? packed : inflated(packed, size);
  if (bytes.length !== size || crc32(bytes) !== crc) throw new SyntaxError("the zip is damaged");
  return bytes;
}

function inflated(packed: Uint8Array, size: number): Uint8Array {
  try {
    return new Uint8Array(inflateRawSync(packed, { maxOutputLength: Math.max(1, size) }));
  } catch {
    throw new SyntaxError("the zip is damaged"); // or exceeds its declared size
  }
}

const viewOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
