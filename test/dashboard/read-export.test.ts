/* The look of the dashboard into a file, before it is imported as a project. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readExport } from "../../dashboard/src/pages/settings/data/read-export.ts";

const packed = (...lines: string[]) => new Blob([new Uint8Array(gzipSync(lines.join("\n")))]);

describe("a file that is chosen for an import", () => {
  it("shows what its first line says", async () => {
    const line = { format: "postrider.project", project: "News", exported_at: 7, version: 2 };
    const file = packed(JSON.stringify({ export: line }), '{"end":{}}', "x".repeat(100_000));
    expect(await readExport(file)).toEqual({ project: "News", exportedAt: 7 });
  });

  it("is no export, whatever its bytes are", async () => {
    const other = JSON.stringify({ export: { format: "x", project: "News", exported_at: 7 } });
    for (const file of [packed(other), packed("[]", ""), new Blob(["no gzip"]), new Blob([])])
      expect(await readExport(file)).toBeUndefined();
  });

  it("is none when the disk has it no more", async () => {
    const gone = new Blob([]);
    gone.stream = () => {
      throw new DOMException("The file could not be found", "NotFoundError");
    };
    expect(await readExport(gone)).toBeUndefined();
  });
});
