/* The position of a fault in JSON, for people who look for it. */
import { describe, expect, it } from "vitest";
import { findJsonFault } from "../../src/lib/json-fault.ts";

describe("the position of a fault in JSON", () => {
  it.each([
    ["a comma before a bracket", '{"a":1,}', 1, 8],
    ["a comma before a bracket of a list", "[1,\n2,\n]", 3, 1],
    ["a missing comma", '{\n  "a": "x"\n  "b": 2\n}', 3, 3],
    ["a missing colon", '{"a" 1}', 1, 6],
    ["single quotes", "{'a':1}", 1, 2],
    ["a name without quotes", "{a:1}", 1, 2],
    ["a missing bracket", '{"a":[1,2}', 1, 10],
    ["a missing end", '{"a":[1,2]', 1, 11],
    ["a line break in a string", '{"a":"x\ny"}', 1, 8],
    ["an unknown escape", String.raw`{"a":"x\y"}`, 1, 8],
    ["an incomplete escape", String.raw`{"a":"\u12x"}`, 1, 7],
    ["a string without an end", '{"a":"x', 1, 8],
    ["another word", '{"a":undefined}', 1, 6],
    ["a leading zero", "[01]", 1, 3],
    ["a comment", "{ // x\n}", 1, 3],
    ["text after the end", '{"a":{}}\r\n}', 2, 1],
    ["a form", "to=ann%40example.com", 1, 1],
    ["nothing but blanks", "  ", 1, 3],
  ])("is that of %s", (_name, text, line, column) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(findJsonFault(text)).toEqual({ line, column });
  });

  it("is the end for every beginning of a valid text", () => {
    const text = String.raw`[{"a":[-1.5e3,true,{"b":null}],"c":"x\"\u00e9é"},[],{},"" ]`;
    expect(findJsonFault(text).column).toBe(text.length + 1);
    for (let end = 1; end < text.length; end++) {
      const { column } = findJsonFault(text.slice(0, end));
      expect(column).toBeGreaterThanOrEqual(end - 4); // a word or an escape that is cut begins before
    }
  });

  it("is found in a long string with many escapes", () => {
    const text = `{"a":"${String.raw`\"`.repeat(500_000)}x`;
    expect(findJsonFault(text)).toEqual({ line: 1, column: text.length + 1 });
  });
});
