/* The check of the stored OpenAPI document. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lintDocument } from "../../scripts/openapi/lint-document.ts";

describe("the check of the stored document", () => {
  it("finds no violation of a public linter's recommended rules in the document", async () => {
    const file = "docs/openapi.json";
    expect(await lintDocument(readFileSync(file, "utf8"), file)).toEqual([]);
  });

  it("detects violations of a public linter's recommended rules", async () => {
    const bad = JSON.stringify({ openapi: "3.1.1", info: { title: "x" }, paths: {} });
    expect(await lintDocument(bad, "bad.json")).toEqual(
      expect.arrayContaining([expect.stringContaining("version")]),
    );
  });
});
