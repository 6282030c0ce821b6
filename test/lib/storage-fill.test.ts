import { describe, expect, it } from "vitest";
import { fillLevel, type FillLevel } from "../../src/lib/storage-fill.ts";

describe("the storage level", () => {
  it("rises at 85 and 95 % and falls 3 points below", () => {
    const at = (fill: number, before: FillLevel = "ok") => fillLevel(fill, before);
    expect([0, 0.849, 0.85, 0.949, 0.95, 1.2].map((fill) => at(fill))).toEqual(
      "ok ok warning warning full full".split(" "),
    );
    expect([0.921, 0.919, 0.821, 0.819].map((fill) => at(fill, "full"))).toEqual(
      "full warning warning ok".split(" "),
    );
    expect([0.9, 0.821, 0.8].map((fill) => at(fill, "warning"))).toEqual(
      "warning warning ok".split(" "),
    );
  });
});
