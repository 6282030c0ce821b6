/* The look of the dashboard into a file, before it is imported as a project. */
import { describe, expect, it } from "vitest";
import { readExport } from "../../dashboard/src/pages/settings/data/read-export.ts";

/** Makes a file that ends as a zip does, with the bytes of its directory before. */
function zipWith(directory: readonly number[]): Blob {
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint32(12, directory.length, true);
  return new Blob([new Uint8Array(directory), end]);
}

describe("a file that is no whole export", () => {
  it("is none, whatever its bytes are", async () => {
    const entry = [0x50, 0x4b, 0x01, 0x02, ...Array.from({ length: 42 }, () => 0xff)];
    for (const file of [zipWith([]), zipWith(entry), new Blob(["no zip"]), new Blob([])])
      expect(await readExport(file)).toBeUndefined();
  });

  it("is none when the disk has it no more", async () => {
    const gone = zipWith([]);
    gone.slice = () => {
      throw new DOMException("The file could not be found", "NotFoundError");
    };
    expect(await readExport(gone)).toBeUndefined();
  });
});
