/* The check of the stored OpenAPI document. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lintDocument } from "../../scripts/openapi/lint-document.ts";

describe("the check of the stored document", () => {
  it("finds nothing in the document that a public linter's recommended rules forbid", async () => {
    const file = "docs/openapi.json";
    expect(await lintDocument(readFileSync(file, "utf8"), file)).toEqual([]);
  });

  it("finds what a public linter's recommended rules forbid", async () => {
    const bad = JSON.stringify({ openapi: "3.1.1", info: { title: "x" }, paths: {} });
    expect(await lintDocument(bad, "bad.json")).toEqual(
      expect.arrayContaining([expect.stringContaining("version")]),
    );
  });
});
