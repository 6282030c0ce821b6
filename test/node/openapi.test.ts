/* The check of the stored OpenAPI document: what counts as a change that breaks clients. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { breakingPartOf } from "../../scripts/openapi/announced-breaks.ts";
import { findBreaks, type Json } from "../../scripts/openapi/find-breaks.ts";
import { lintDocument } from "../../scripts/openapi/lint-document.ts";

const CALL = "POST /things";
const text = { type: "string" };

interface Shape {
  body?: Json;
  answer?: Json;
  parameters?: Json[];
  security?: Json[];
  schemas?: Record<string, Json>;
}

const content = (schema: Json) => ({ content: { "application/json": { schema } } });

/** Makes a document of one call. */
const documentOf = ({
  body,
  answer,
  parameters = [],
  security = [],
  schemas = {},
}: Shape): Json => ({
  paths: {
    "/things": {
      post: {
        operationId: "things.create",
        parameters,
        security,
        ...(body === undefined ? {} : { requestBody: content(body) }),
        responses: answer === undefined ? {} : { 200: content(answer) },
      },
    },
  },
  components: { schemas },
});
const breaks = (before: Shape, after: Shape) => findBreaks(documentOf(before), documentOf(after));
const object = (properties: Record<string, Json>, required: string[] = []): Json => ({
  type: "object",
  properties,
  required,
});

describe("a change of the OpenAPI document breaks clients", () => {
  it("when a path or a method is gone, or has another name", () => {
    const before = documentOf({});
    expect(findBreaks(before, { paths: {} })).toEqual([`${CALL} is gone`]);
    expect(findBreaks(before, { paths: { "/things": { get: {} } } })).toEqual([`${CALL} is gone`]);
    const renamed = { paths: { "/things": { post: { operationId: "things.make" } } } };
    expect(findBreaks(before, renamed)).toEqual([`${CALL} has another operationId`]);
  });

  it.each<[string, Shape, Shape, string]>([
    [
      "a way in is gone",
      { security: [{ session: [] }, { projectKey: [] }] },
      { security: [{ session: [] }] },
      "no longer takes projectKey",
    ],
    ["a public call is closed", {}, { security: [{ session: [] }] }, "now needs a credential"],
    [
      "a request has a new required field",
      { body: object({ a: text }) },
      { body: object({ a: text }, ["a"]) },
      "body now requires a",
    ],
    [
      "a request loses a field",
      { body: object({ a: text }) },
      { body: object({}) },
      "body no longer has a",
    ],
    [
      "a request takes fewer values",
      { body: { enum: ["a", "b"] } },
      { body: { enum: ["a"] } },
      "body no longer takes b",
    ],
    [
      "a free text becomes a choice",
      { body: object({ a: text }) },
      { body: object({ a: { ...text, enum: ["x"] } }) },
      "body.a no longer takes any",
    ],
    [
      "a request takes fewer types",
      { body: { type: ["string", "null"] } },
      { body: text },
      "body has another type",
    ],
    [
      "a request has a tighter bound",
      { body: { ...text, maxLength: 10 } },
      { body: { ...text, maxLength: 9 } },
      "body has a tighter maxLength",
    ],
    [
      "a request loses one of its forms",
      { body: { anyOf: [object({ a: text }, ["a"]), object({ b: text }, ["b"])] } },
      { body: object({ a: text }, ["a"]) },
      "body no longer takes one of its forms",
    ],
    [
      "a parameter is new and required",
      {},
      { parameters: [{ name: "q", in: "query", required: true, schema: text }] },
      "now requires the parameter query q",
    ],
    [
      "a parameter is gone",
      { parameters: [{ name: "q", in: "query", schema: text }] },
      {},
      "no longer has the parameter query q",
    ],
    [
      "an answer loses a field deep inside",
      { answer: object({ list: { type: "array", items: object({ a: text }) } }) },
      { answer: object({ list: { type: "array", items: object({}) } }) },
      "200.list[] no longer has a",
    ],
    [
      "an answer's field may be missing",
      { answer: object({ a: text }, ["a"]) },
      { answer: object({ a: text }) },
      "200 may now lack a",
    ],
    [
      "an answer's field may be null",
      { answer: object({ a: text }) },
      { answer: object({ a: { type: ["string", "null"] } }) },
      "200.a has another type",
    ],
    [
      "a named schema changes",
      { answer: { $ref: "#/components/schemas/T" }, schemas: { T: object({ a: text }) } },
      { answer: { $ref: "#/components/schemas/T" }, schemas: { T: object({}) } },
      "200 no longer has a",
    ],
    ["a status is gone", { answer: text }, {}, "200 is gone"],
  ])("when %s", (_name, before, after, fault) => {
    expect(breaks(before, after)).toEqual([`${CALL} ${fault}`]);
    expect(breaks(before, before)).toEqual([]);
  });

  it("not when something is added that clients may ignore", () => {
    const before = { body: object({ a: { enum: ["x"] } }), answer: object({ a: text }, ["a"]) };
    const after = {
      body: object({ a: { enum: ["x", "y"] }, b: text }),
      answer: object({ a: text, b: text }, ["a", "b"]),
      parameters: [{ name: "q", in: "query", schema: text }],
    };
    expect(breaks(before, after)).toEqual([]);
  });
});

describe("the check of the stored document", () => {
  it("takes announcements of the newest version alone, under Breaking", () => {
    const part = "### Breaking\n\n- `GET /a` is gone.\n\n### Sending\n\n- `GET /b`\n";
    const old = "\n## 0.1.0\n\n### Breaking\n\n- `GET /c`\n";
    const announced = breakingPartOf(`# Changelog\n\n## 0.2.0\n\n${part}${old}`);
    expect(announced).toContain("GET /a");
    expect(announced).not.toMatch(/GET \/[bc]/);
    expect(breakingPartOf("# Changelog\n\n## 0.2.0\n\n### Sending\n")).toBe("");
  });

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
