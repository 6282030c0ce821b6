import { describe, expect, it } from "vitest";
import {
  compileTemplate,
  findVariables,
  renderTemplate,
  TemplateRenderError,
} from "../../../src/mail/template/index.ts";

const html = (source: string, data: Record<string, unknown> = {}) =>
  renderTemplate(compileTemplate(source, { escape: true }), data);

describe("url_encode", () => {
  it.each([
    [{ value: "a b&c=d/é?#'" }, "a%20b%26c%3Dd%2F%C3%A9%3F%23&#x27;"],
    [{ value: "\ud800x" }, "%EF%BF%BDx"],
    [{ value: 7 }, "7"],
    [{ value: null }, ""],
    [{}, ""],
  ])("encodes a value for a URL: %j", (data, expected) => {
    expect(html("{{url_encode value}}", data)).toBe(expected);
  });

  it("takes an expression, is charged, and reports what it uses", () => {
    expect(html("{{url_encode (lookup person 'name')}}", { person: { name: "A B" } })).toBe(
      "A%20B",
    );
    const source = "{{#each list}}{{#if (url_encode @root.text)}}{{/if}}{{/each}}";
    const data = { list: Array.from({ length: 1_000 }, () => 1), text: "x".repeat(100_000) };
    expect(() => html(source, data)).toThrow(/steps/);
    expect(findVariables("{{url_encode a.b}}").map(({ path }) => path)).toEqual([["a", "b"]]);
  });

  it.each(["{{url_encode}}", "{{url_encode a b}}"])("needs one value: %s", (source) => {
    expect(() => html(source)).toThrow(TemplateRenderError);
  });
});
