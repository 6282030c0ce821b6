/*
 * The OpenAPI document (API reference §1.6). test/support/answers.ts holds every answer of every
 * test to it; this file holds the document itself, and sends the example of each call.
 */
import { Validator, type Schema } from "@cfworker/json-schema";
import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { makeDocument } from "../../src/http/openapi/document.ts";
import { EXAMPLE_ANSWERS } from "../../src/http/openapi/example-answers.ts";
import { templateOf } from "../../src/http/openapi/parameters.ts";
import { TAGS } from "../../src/http/openapi/tags.ts";
import type { Route } from "../../src/http/route/declaration.ts";
import { ALL_ROUTES } from "../../src/http/routes.ts";
import { createServer } from "../../src/http/server.ts";
import { examplesWorld, type ExamplesWorld } from "../support/examples-world.ts";
import { presentable } from "../support/presentable.ts";
import { differencesOf } from "../support/same-form.ts";
import { createService } from "../support/service.ts";

const PATH = "/api/v1/openapi.json";
const document = makeDocument(ALL_ROUTES);

interface Media {
  content?: Record<string, { schema: Schema; example?: unknown }>;
}
interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: object[];
  responses: Record<string, Media>;
  requestBody?: Required<Media>;
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation as Operation] as const,
  ),
);

describe("GET /api/v1/openapi.json", () => {
  const service = createService();

  it("returns the document to any caller, from any site, without querying the database", async () => {
    service.d1.reset();
    const answer = await service.fetch(PATH, { headers: { Origin: "https://elsewhere.test" } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(document)));
    expect(service.d1.roundTrips).toBe(0);
  });

  it("is cacheable for five minutes, and answers 304 to its own ETag", async () => {
    const first = await service.fetch(PATH);
    expect(first.headers.get("Cache-Control")).toBe("public, max-age=300");
    const etag = first.headers.get("ETag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const ask = (tag: string) => service.fetch(PATH, { headers: { "If-None-Match": tag } });
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const { status, headers } = await ask(tag);
      expect([status, headers.get("ETag")]).toEqual([304, etag]);
    }
    expect((await ask('"other"')).status).toBe(200);
  });
});

describe("the document", () => {
  it("describes every route of the server and no other", () => {
    const served = createServer(createService().runtime)
      .routes.filter(({ method }) => method !== "ALL") // middleware
      .filter(({ path }) => !/^\/(?:resend|hooks)\//.test(path)) // documented by those who call
      .map(
        ({ method, path }) =>
          `${method} ${templateOf(path.replace(":file{[^/]+\\.gif}", ":logId.gif"))}`,
      );
    expect(new Set(operations.map(([name]) => name))).toEqual(new Set(served));
  });

  it("gives each operation a unique name, a one-sentence summary, a tag and its security schemes", () => {
    const names = operations.map(([, { operationId }]) => operationId);
    expect(names.length).toBe(new Set(names).size);
    // no name is the beginning of another: clients make objects of them
    for (const name of names)
      expect(names.filter((other) => other.startsWith(`${name}.`))).toEqual([]);
    for (const [, { summary, tags, security, responses }] of operations) {
      expect(summary).toMatch(/^[A-Z][a-z]+s [^.]*[^.]$/);
      expect(tags).toHaveLength(1);
      expect(TAGS).toHaveProperty([String(tags[0])]);
      expect(security).toBeInstanceOf(Array);
      expect(Object.keys(responses)).toContain("default");
    }
  });

  it("types every value except those that callers choose freely", () => {
    const open: string[] = [];
    const visit = (node: unknown, at: string) => {
      if (typeof node !== "object" || node === null) return;
      for (const [name, inner] of Object.entries(node)) {
        const isSchema = /\/(?:schema|items|properties\/\w+|anyOf\/\d+)$/.test(`${at}/${name}`);
        if (isSchema && JSON.stringify(inner) === "{}") open.push(`${at}/${name}`);
        visit(inner, `${at}/${name}`);
      }
    };
    visit(document.paths, "");
    expect(open).toEqual(
      ["", "/{provider}"].map(
        (more) =>
          `//webhooks/bounces/{projectId}${more}/post/requestBody/content/application/json/schema`,
      ),
    );
  });

  const bodies = operations.flatMap(([name, { requestBody }]) => {
    const json = requestBody?.content["application/json"];
    return json ? [[name, json] as const] : [];
  });

  it.each(bodies)("accepts a valid body, and rejects an invalid one: %s", (name, json) => {
    const schema = { ...json.schema, components: document.components } as Schema;
    const validator = new Validator(schema, "2020-12");
    expect(json.example).toBeDefined();
    expect(validator.validate(json.example)).toMatchObject({ valid: true });
    if (!name.includes("/webhooks/bounces/"))
      expect(validator.validate("text")).toMatchObject({ valid: false });
  });
});

describe("the example of each operation", () => {
  let world: ExamplesWorld;

  it("shows responses that fit their schemas, only for existing operations and statuses", () => {
    const shown = operations.flatMap(([name, { operationId, responses }]) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const json = content?.["application/json"];
        if (json?.example === undefined) return [];
        const schema = { ...json.schema, components: document.components } as Schema;
        const { valid, errors } = new Validator(schema, "2020-12").validate(json.example);
        expect([name, valid, errors]).toEqual([name, true, []]);
        return [`${operationId} ${status}`];
      }),
    );
    const listed = Object.entries(EXAMPLE_ANSWERS).flatMap(([operation, answers]) =>
      Object.keys(answers).map((status) => `${operation} ${status}`),
    );
    expect(shown).toEqual(expect.arrayContaining(listed));
  });

  beforeAll(async () => {
    world = await examplesWorld();
  });

  it.each(ALL_ROUTES.map((route): [string, Route] => [route.operation, route]))(
    "works as written, and its response has the shape of the documented one: %s",
    async (name, route) => {
      const { status, text } = await world.send(route);
      expect([status, text]).toEqual([expect.toSatisfy((s: number) => s >= 200 && s < 300), text]);
      expect(Object.keys(route.answers)).toContain(String(status));
      if (text === "" || name === "service.openapi" || route.fileType) return;
      const answer: unknown = JSON.parse(text);
      const shown = EXAMPLE_ANSWERS[name]?.[status];
      const line = JSON.stringify({ [name]: { [status]: presentable(answer, world.projectId) } });
      const advice = `src/http/openapi/example-answers.json needs this line: ${line.slice(1, -1)},`;
      expect(shown, advice).toBeDefined();
      expect(differencesOf(shown, answer), advice).toEqual([]);
    },
  );

  it("leaves the database intact", async () => {
    const { results } = await env.DB.prepare("pragma foreign_key_check").all();
    expect(results).toEqual([]);
  });
});
