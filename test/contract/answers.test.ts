/*
 * The declarations of routes, and the schemas of answers: clients are made from them, so each answer
 * has exactly their fields.
 * test/support/answers.ts holds every answer of every other test to them.
 */
import { describe, expect, it } from "vitest";
import { z, type ZodType } from "zod";
import { errorAnswer, keyedErrorAnswer } from "../../src/http/route/answer.ts";
import { route } from "../../src/http/route/route.ts";
import { ALL_ROUTES } from "../../src/http/routes.ts";
import { requireKnownAnswer } from "../support/answers.ts";

const schemas: [name: string, schema: ZodType | undefined][] = [
  ["a refusal", errorAnswer],
  ["a refusal of the key-based API", keyedErrorAnswer],
];
for (const { method, path, answers } of ALL_ROUTES)
  for (const [status, schema] of Object.entries(answers))
    schemas.push([`${method} ${path} ${status}`, schema]);

/** Every object in a JSON Schema. */
function objectsOf(node: unknown): Record<string, unknown>[] {
  if (typeof node !== "object" || node === null) return [];
  const inner = Object.values(node).flatMap(objectsOf);
  return "type" in node && node.type === "object" ? [{ ...node }, ...inner] : inner;
}

describe("the schema of an answer", () => {
  it.each(schemas)("converts to JSON Schema and permits no unknown field: %s", (name, schema) => {
    if (!schema) return expect(name).toMatch(/ (?:204|304)$/);
    const objects = objectsOf(z.toJSONSchema(schema, { io: "input" }));
    for (const { properties, additionalProperties, propertyNames } of objects) {
      if (properties === undefined) expect(propertyNames).toBeDefined(); // names of the caller
      else expect(additionalProperties).toBe(false);
    }
  });
});

describe("the declaration of a route", () => {
  const words = { operation: "nowhere.get", summary: "Returns nothing." } as const;
  const path = "/nowhere/:id";
  const handle = async () => undefined;

  it("has no rule that its callers are not checked for: the type check refuses it", () => {
    // @ts-expect-error a person's route has no limit of a project
    route({ ...words, auth: "user", method: "POST", path, limit: "send", handle });
    // @ts-expect-error nor a capability, which belongs to a project or workspace
    route({ ...words, auth: "user", method: "GET", path, capability: "read", handle });
    // @ts-expect-error nobody's login is checked on a public route
    route({ ...words, auth: "public", method: "GET", path, license: "analytics", handle });
    // @ts-expect-error a route of a project names the capability that it requires
    route({ ...words, auth: "cookie", method: "GET", path, handle });
    const declared = { ...words, auth: "user", method: "GET", path, handle } as const;
    expect(route(declared)).toMatchObject({ auth: "user" });
  });

  it("has the words of the OpenAPI document, and an example where it takes a body", () => {
    const { operation, summary } = words;
    // @ts-expect-error clients find the call by the name of its operation
    route({ summary, auth: "user", method: "GET", path, handle });
    // @ts-expect-error the document says what the call does
    route({ operation, auth: "user", method: "GET", path, handle });
    // @ts-expect-error a body has an example, which a test sends
    route({ ...words, auth: "user", method: "POST", path, body: z.object({}), handle });
    expect(route({ ...words, auth: "user", method: "GET", path, handle })).toMatchObject(words);
  });

  it("has a handler whose answer fits its schema and whose parameters are in its path", () => {
    const answer = z.strictObject({ id: z.string() });
    const read = { ...words, auth: "user", method: "GET", path } as const;
    // @ts-expect-error the schema promises an id
    route({ ...read, answer, handle: async () => ({ name: "x" }) });
    // @ts-expect-error without a schema there is no body
    route({ ...read, handle: async () => ({ id: "x" }) });
    route({
      ...read,
      answer,
      // @ts-expect-error the path has no such parameter
      handle: async ({ param }) => ({ id: param("other") }),
    });
    expect(answer.safeParse({ id: "x" }).success).toBe(true);
  });
});

describe("an answer in a test", () => {
  const answered = (method: string, path: string, status: number, body: unknown) => () => {
    const request = new Request(`https://mail.postrider.test${path}`, { method });
    const headers = { "Content-Type": "application/json" };
    const text = body === undefined ? "" : JSON.stringify(body);
    requireKnownAnswer(request, new Response(null, { status, headers }), text);
  };
  const project = "/api/v1/projects/0199b1de-0000-7000-8000-000000000000";
  const STATS = { total: 0, sent: 0, failed: 0, opened: 0, clicked: 0, bounced: 0, suppressed: 0 };

  it("passes with exactly the fields of its schema", () => {
    expect(answered("GET", `${project}/stats`, 200, STATS)).not.toThrow();
    expect(answered("DELETE", project, 204, undefined)).not.toThrow();
    expect(answered("GET", project, 404, { error: "project not found" })).not.toThrow();
  });

  it("fails with an unknown field, without a promised one, and with an unpromised status", () => {
    const { total: _total, ...rest } = STATS;
    expect(answered("GET", `${project}/stats`, 200, { ...STATS, row: 1 })).toThrow("row");
    expect(answered("GET", `${project}/stats`, 200, rest)).toThrow("total");
    expect(answered("GET", `${project}/stats`, 201, STATS)).toThrow("no schema");
    expect(answered("DELETE", project, 204, { ok: true })).toThrow("no schema");
  });

  it("fails when a refusal has other fields than those of its surface", () => {
    const error = "not found";
    expect(answered("GET", project, 404, { error, stack: "" })).toThrow("stack");
    expect(answered("GET", project, 404, { success: false, error })).toThrow("success");
    expect(answered("GET", "/api/v1/subscribers", 401, { error })).toThrow("success");
    expect(answered("GET", "/api/v1/nothing", 404, { message: error })).toThrow();
  });
});
