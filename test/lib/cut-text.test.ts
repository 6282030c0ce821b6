import { describe, expect, it } from "vitest";
import { cutText } from "../../src/lib/cut-text.ts";

describe("a truncated text", () => {
  it("has at most the given length, and never ends with half a character", () => {
    expect(cutText("abc", 2)).toBe("ab");
    expect(cutText("abc", 3)).toBe("abc");
    expect(cutText("a😀b", 2)).toBe("a");
    expect(cutText("a😀b", 3)).toBe("a😀");
    expect(cutText("😀", 1)).toBe("");
  });
});
