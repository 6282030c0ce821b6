import { crc32, deflateRawSync } from "node:zlib";
import {
  CENTRAL_HEADER,
  DEFLATED,
  END_RECORD,
  FIRST_DAY,
  LOCAL_HEADER,
  VERSION,
  type ZipEntry,
} from "./zip-format.ts";

/** Offsets in a zip have 32 bits, and its entry count has 16. */
const MAX_BYTES = 0xffff_ffff;
const MAX_ENTRIES = 0xffff;

const encoder = new TextEncoder();

/** An entry in the central directory of a zip. */
interface Listed {
  name: Uint8Array;
  crc: number;
  packedBytes: number;
  bytes: number;
  offset: number;
}

/**
 * Yields the bytes of a zip. Holds one entry in memory at a time and takes the next one on demand;
 * the central directory takes about 100 bytes per entry. Throws RangeError beyond 4 GiB.
 */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const listed: Listed[] = [];
  let offset = 0;
  for await (const { name, bytes } of entries) {
    const packed = deflateRawSync(bytes, { level: 6 });
    const entry: Listed = {
      name: encoder.encode(name),
      crc: crc32(bytes),
      packedBytes: packed.length,
      bytes: bytes.length,
      offset,
    };
    listed.push(entry);
    const header = localHeader(entry);
    offset += header.length + packed.length;
    if (offset > MAX_BYTES || listed.length > MAX_ENTRIES)
      throw new RangeError("the zip is too large");
    yield header;
    yield packed;
  }
  let directoryBytes = 0;
  for (const entry of listed) {
    const header = centralHeader(entry);
    directoryBytes += header.length;
    yield header;
  }
  yield endRecord(listed.length, directoryBytes, offset);
}

function localHeader(entry: Listed): Uint8Array {
  const { view, bytes } = record(LOCAL_HEADER, entry.name);
  writeFacts(view, 4, entry);
  return bytes;
}

function centralHeader(entry: Listed): Uint8Array {
  const { view, bytes } = record(CENTRAL_HEADER, entry.name);
  view.setUint16(4, VERSION, true);
  writeFacts(view, 6, entry);
  view.setUint32(42, entry.offset, true);
  return bytes;
}

/** Writes the fields that both headers share, starting at the version. */
function writeFacts(view: DataView, at: number, { name, crc, packedBytes, bytes }: Listed): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 4, DEFLATED, true);
  view.setUint16(at + 8, FIRST_DAY, true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, packedBytes, true);
  view.setUint32(at + 18, bytes, true);
  view.setUint16(at + 22, name.length, true);
}

function endRecord(entries: number, directoryBytes: number, offset: number): Uint8Array {
  const { view, bytes } = record(END_RECORD, new Uint8Array());
  view.setUint16(8, entries, true);
  view.setUint16(10, entries, true);
  view.setUint32(12, directoryBytes, true);
  view.setUint32(16, offset, true);
  return bytes;
}

function record(kind: { signature: number; bytes: number }, name: Uint8Array) {
  const bytes = new Uint8Array(kind.bytes + name.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, kind.signature, true);
  bytes.set(name, kind.bytes);
  return { view, bytes };
}
