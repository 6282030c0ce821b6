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

/** The bounds that stop a hostile zip. */
export interface ZipBounds {
  /** Bytes of one entry, packed or not. */
  entryBytes: number;
  /** Bytes of all entries together, unpacked. */
  totalBytes: number;
  entries: number;
  /** Unpacked bytes for each packed one, over all entries so far, beyond the size of one entry. */
  ratio: number;
}

/** The longest name of an entry; our own choice. */
const MAX_NAME_BYTES = 100;
const MAX_EXTRA_BYTES = 1_024;

/** Bits of the flags: encrypted, and sizes that follow the entry instead of preceding it. */
const ENCRYPTED = 0x0001;
const SIZES_FOLLOW = 0x0008;

/**
 * Yields the entries of a zip while its bytes arrive, one in memory at a time. It checks the sizes
 * in the headers against the bounds first, and no entry may grow beyond its size. It never uses a
 * name as a path. It does not read the directory at the end. Throws SyntaxError for a file that is
 * not such a zip, that ends early or whose checksums are wrong, and RangeError beyond the bounds.
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

/** Reads a header after its signature. */
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
    throw new SyntaxError("the zip is damaged"); // also where it would grow beyond its size
  }
}

const viewOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
