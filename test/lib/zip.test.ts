/* Zips written and read in pieces. */
import { describe, expect, it } from "vitest";
import { readZip } from "../../src/lib/read-zip.ts";
import { writeZip } from "../../src/lib/write-zip.ts";
import type { ZipEntry } from "../../src/lib/zip-format.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const BOUNDS = { entryBytes: 100_000, totalBytes: 150_000, entries: 10, ratio: 50 };
const FILES = [
  { name: "a.json", bytes: bytesOf('{"a":"é"}') },
  { name: "empty.ndjson", bytes: bytesOf("") },
  { name: "b-00001.ndjson", bytes: bytesOf("x\n".repeat(20_000)) },
];

async function* listed<Item>(items: Item[]) {
  yield* items;
}

async function zipOf(files: ZipEntry[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of writeZip(listed(files))) parts.push(part);
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

async function read(zip: Uint8Array, bounds = BOUNDS, step = zip.length) {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < zip.length; at += step) chunks.push(zip.subarray(at, at + step));
  const files: ZipEntry[] = [];
  for await (const file of readZip(listed(chunks), bounds)) files.push(file);
  return files;
}

const changed = (zip: Uint8Array, at: number, value: number) => {
  const copy = zip.slice();
  copy[at] = value;
  return copy;
};

describe("a zip", () => {
  it("is read as it was written, in chunks of any size", async () => {
    const zip = await zipOf(FILES);
    for (const step of [1, 7, zip.length]) expect(await read(zip, BOUNDS, step)).toEqual(FILES);
  });

  it("takes an entry only when its reader asks for it", async () => {
    const taken: number[] = [];
    async function* slow() {
      for (const [at, file] of FILES.entries()) {
        taken.push(at);
        yield file;
      }
    }
    const zip = writeZip(slow());
    await zip.next();
    await zip.next();
    expect(taken).toEqual([0]);
    await zip.return(undefined);
  });

  it("is rejected if it is compressed more than an export can be", async () => {
    const bytes = bytesOf("x\n".repeat(20_000));
    const zip = await zipOf([1, 2, 3].map((n) => ({ name: `b-0000${n}.ndjson`, bytes })));
    const bounds = { ...BOUNDS, entryBytes: 2 * bytes.length };
    expect(await read(zip, { ...bounds, ratio: 1_000 })).toHaveLength(3);
    await expect(read(zip, bounds)).rejects.toThrow("packed more tightly");
  });

  it("never decompresses more than its headers declare and the limits allow", async () => {
    const zip = await zipOf(FILES);
    const size = 22; // of the uncompressed size in the first header
    await expect(read(changed(zip, size, 3))).rejects.toThrow(SyntaxError);
    await expect(read(zip, { ...BOUNDS, entryBytes: 39_999 })).rejects.toThrow(RangeError);
    await expect(read(zip, { ...BOUNDS, totalBytes: 40_000 })).rejects.toThrow(RangeError);
    await expect(read(zip, { ...BOUNDS, entries: 2 })).rejects.toThrow(RangeError);
  });

  it("is rejected if it is corrupt, truncated, encrypted or not a zip", async () => {
    const zip = await zipOf(FILES);
    for (const bad of [
      bytesOf("PK is no zip"),
      new Uint8Array(),
      zip.subarray(0, 60),
      changed(zip, 40, (zip[40] ?? 0) ^ 1), // a packed byte
      changed(zip, 14, (zip[14] ?? 0) ^ 1), // the checksum
      changed(zip, 6, 1), // encrypted
      changed(zip, 6, 8), // sizes after the entry
      changed(zip, 8, 12), // another method
      changed(zip, 27, 9), // a long name
    ])
      await expect(read(bad)).rejects.toThrow(SyntaxError);
  });
});
