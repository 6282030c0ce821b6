import { describe, expect, it } from "vitest";
import { cutText } from "../../src/lib/cut-text.ts";

describe("a text that is cut", () => {
  it("has at most the given length, and never half a character at its end", () => {
    expect(cutText("abc", 2)).toBe("ab");
    expect(cutText("abc", 3)).toBe("abc");
    expect(cutText("a😀b", 2)).toBe("a");
    expect(cutText("a😀b", 3)).toBe("a😀");
    expect(cutText("😀", 1)).toBe("");
  });
});
