/* Gzip and lines in streams that go as fast as their consumers. */
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { gunzip, gzip } from "../../src/lib/gzip.ts";
import { readLines } from "../../src/lib/read-lines.ts";

async function* listed<Item>(items: Iterable<Item>) {
  yield* items;
}

const pieces = (bytes: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  );

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe("gzip in a stream", () => {
  it("compresses texts, and takes the next one only when its consumer asks", async () => {
    let made = 0;
    async function* texts() {
      for (; made < 100; made++) yield crypto.getRandomValues(new Uint8Array(60_000)).join();
    }
    const packed = gzip(texts());
    await packed.next();
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    expect(made).toBeLessThan(5);
    await packed.return(undefined);
    const parts = await all(gzip(listed(["é", "\n", "b"])));
    expect(gunzipSync(Buffer.concat(parts)).toString()).toBe("é\nb");
  });

  it("decompresses chunks of any size, much of which no consumer needs at once", async () => {
    const packed = gzipSync(new Uint8Array(20_000_000));
    for (const size of [1_000, packed.length]) {
      let length = 0;
      for await (const part of gunzip(listed(pieces(packed, size)))) {
        expect(part.length).toBeLessThanOrEqual(65_536);
        length += part.length;
      }
      expect(length).toBe(20_000_000);
    }
  });

  it("tells damage from the end of a truncated file, and passes on errors of its source", async () => {
    const packed = gzipSync(crypto.getRandomValues(new Uint8Array(50_000)));
    const read = (bytes: Uint8Array) => all(gunzip(listed(pieces(bytes, 10_000))));
    await expect(read(packed.subarray(0, 30_000))).rejects.toMatchObject({ code: "Z_BUF_ERROR" });
    const damaged = packed.map((byte, at) => (at === packed.length - 6 ? byte ^ 1 : byte));
    await expect(read(damaged)).rejects.toMatchObject({ code: "Z_DATA_ERROR" });
    async function* failing() {
      yield packed.subarray(0, 10_000);
      throw new TypeError("the body paused");
    }
    await expect(all(gunzip(failing()))).rejects.toThrow(TypeError);
  });
});

describe("the lines of a stream", () => {
  const read = async (text: string, size: number, max = 100) => {
    const lines = await all(readLines(listed(pieces(Buffer.from(text), size)), max));
    return lines.map((line) => Buffer.from(line).toString());
  };

  it("are whole in chunks of any size, with or without a last line feed", async () => {
    for (const size of [1, 2, 5, 100]) {
      expect(await read("aé\n\nbcd\n", size)).toEqual(["aé", "", "bcd"]);
      expect(await read("aé\nb", size)).toEqual(["aé", "b"]);
    }
  });

  it("are refused if they are too long, before their end", async () => {
    await expect(read("a\n".padEnd(500, "b"), 10, 50)).rejects.toThrow(RangeError);
  });
});
