/*
 * The declarations of routes, and the schemas of answers: clients are made from them, so each
 * answer has exactly their fields. test/support/answers.ts holds every answer of every other test
 * to them. The sessions in docs/api-examples.md run here.
 */
import { Validator, type Schema } from "@cfworker/json-schema";
import { createMessageBatch } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { z, type ZodType } from "zod";
import sessions from "../../docs/api-examples.md?raw";
import audience from "../../docs/audience.md?raw";
import bounces from "../../docs/bounces.md?raw";
import broadcasts from "../../docs/broadcasts.md?raw";
import deployment from "../../docs/deployment.md?raw";
import sending from "../../docs/sending.md?raw";
import webhooks from "../../docs/webhooks.md?raw";
import { errorAnswer, keyedErrorAnswer } from "../../src/http/route/answer.ts";
import { route } from "../../src/http/route/route.ts";
import { operationOf } from "../../src/http/openapi/operation.ts";
import type { Route } from "../../src/http/route/declaration.ts";
import { EXAMPLE_IDS } from "../../src/http/route/words.ts";
import { ALL_ROUTES } from "../../src/http/routes.ts";
import { handleBatch } from "../../src/queues/handle-batch.ts";
import { wakeMessage } from "../../src/queues/messages.ts";
import { requireKnownAnswer, routeOf } from "../support/answers.ts";
import { workOff } from "../support/broadcasting.ts";
import { bind, curlsOf, requestOf, stepsOf, type Step } from "../support/curl-session.ts";
import { testLicense } from "../support/license.ts";
import { ports } from "../support/ports.ts";
import { differencesOf } from "../support/same-form.ts";
import { createService } from "../support/service.ts";
import { TEST_SETTINGS } from "../support/settings.ts";
import { endpoint } from "../support/webhooks/received.ts";

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
    if (!schema) return expect(name).toMatch(/ (?:204|304)$|\/(?:export|page|forms\/preview) 200$/);
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

  it("cannot contain a rule that is not checked for its callers: a type error", () => {
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

  it("has OpenAPI documentation, and an example if it takes a body", () => {
    const { operation, summary } = words;
    // @ts-expect-error clients find the call by the name of its operation
    route({ summary, auth: "user", method: "GET", path, handle });
    // @ts-expect-error the document says what the call does
    route({ operation, auth: "user", method: "GET", path, handle });
    // @ts-expect-error a body has an example, which a test sends
    route({ ...words, auth: "user", method: "POST", path, body: z.object({}), handle });
    expect(route({ ...words, auth: "user", method: "GET", path, handle })).toMatchObject(words);
  });

  it("has a handler whose response fits its schema and whose parameters are in its path", () => {
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
    expect(
      answered("GET", project, 404, { error: "project not found", code: "not_found" }),
    ).not.toThrow();
  });

  it("fails with an unknown field, a missing field or an undeclared status", () => {
    const { total: _total, ...rest } = STATS;
    expect(answered("GET", `${project}/stats`, 200, { ...STATS, row: 1 })).toThrow("row");
    expect(answered("GET", `${project}/stats`, 200, rest)).toThrow("total");
    expect(answered("GET", `${project}/stats`, 201, STATS)).toThrow("no schema");
    expect(answered("DELETE", project, 204, { ok: true })).toThrow("no schema");
  });

  it("fails when an error has fields that its API does not declare", () => {
    const refused = { error: "not found", code: "not_found" };
    expect(answered("GET", project, 404, { ...refused, stack: "" })).toThrow("stack");
    expect(answered("GET", project, 404, { ...refused, success: false })).toThrow("success");
    expect(answered("GET", project, 404, { error: "not found" })).toThrow("code");
    expect(answered("GET", "/api/v1/subscribers", 401, refused)).toThrow("success");
    expect(answered("GET", "/api/v1/nothing", 404, { message: "not found" })).toThrow();
  });
});

const DOH_URL = "https://doh.test/dns-query";

/** The fields whose values differ from run to run. */
const VARYING = /\.(?:ms|detail|rate_per_minute)$/;
const isTime = (value: unknown) => /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(String(value));

/** Tells whether a value is the one that the document shows. */
function isAsShown(shown: unknown, real: unknown, at: string): boolean {
  if (VARYING.test(at)) return typeof shown === typeof real;
  return shown === real || (isTime(shown) && isTime(real));
}

describe("the sessions in docs/api-examples.md", async () => {
  const queued: unknown[] = [];
  const queue = {
    sendBatch: async (messages: Iterable<{ body: unknown; delaySeconds?: number }>) => {
      for (const { body, delaySeconds = 0 } of messages) if (delaySeconds === 0) queued.push(body);
    },
  } as unknown as Queue<never>;
  const dns: typeof fetch = async (input, init) =>
    new URL(input instanceof Request ? input.url : input).href.startsWith(DOH_URL)
      ? Response.json({ Status: 0, Answer: [{ type: 15, data: "10 mx.example.com." }] })
      : fetch(input, init);
  const settings = { WAKE_QUEUE: queue, WEBHOOK_QUEUE: queue, DOH_URL };
  const service = createService(
    { ...(await testLicense("pro")), ...settings, DEPLOYMENT_MODE: "self_hosted" },
    { fetch: dns },
  );

  /** The values of this deployment, in place of those that the document shows. */
  const variables = new Map([
    ["API", `${TEST_SETTINGS.BASE_URL}/api/v1`],
    ["SETUP_TOKEN", TEST_SETTINGS.SETUP_TOKEN],
    ["SMTP_HOST", "127.0.0.1"],
    ["SMTP_PORT", String(ports.smtp)],
    ["HOOK", endpoint("ok/api-examples")],
  ]);
  let cookie = "";

  /** Lets the queues deliver what an answer left behind. */
  async function finish() {
    while (queued.length > 0) {
      const [body] = queued.splice(0, 1);
      const deps = await service.deps();
      const message = { id: "message", timestamp: new Date(), attempts: 1, body };
      const woken = wakeMessage.safeParse(body);
      if (woken.success) await workOff(deps, woken.data.projectId);
      else await handleBatch(deps, createMessageBatch("postrider", [message]));
    }
  }

  async function take(step: Step): Promise<string[]> {
    if (step.kind === "set") {
      if (!variables.has(step.name)) variables.set(step.name, step.value);
      return [];
    }
    const { url, init, sendsCookies, keepsCookies } = requestOf(step.words, variables);
    if (sendsCookies) init.headers.set("Cookie", cookie);
    const response = await service.fetch(url, init);
    const text = await response.text();
    if (keepsCookies) cookie = response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
    await finish();
    if (response.status !== step.status) return [`${response.status} ${text}`];
    if (step.answer === undefined) return [];
    const real: unknown = JSON.parse(text);
    return differencesOf(bind(step.answer, real, variables), real, isAsShown);
  }

  it("run as written and produce the documented responses", async () => {
    const faults: string[] = [];
    for (const step of stepsOf(sessions))
      for (const fault of await take(step))
        faults.push(`docs/api-examples.md:${step.line}: ${fault}`);
    expect(faults.join("\n")).toBe("");
  });
});

/** Returns the validator of a request's body by the OpenAPI document. */
function bodyValidator(route: Route): Validator {
  const schemas = {};
  const { requestBody } = operationOf(route, schemas) as {
    requestBody: { content: { "application/json": { schema: Schema } } };
  };
  const { schema } = requestBody.content["application/json"];
  return new Validator({ ...schema, components: { schemas } }, "2020-12");
}

describe("a curl command in a guide", () => {
  const API = "https://mail.example.com/api/v1";
  const ID = EXAMPLE_IDS.project;
  const variables = new Map([
    ...["PROJECT", "BATCH", "BROADCAST", "EMAIL", "SUBSCRIBER", "IMPORT", "KEY", "PUBLIC_KEY"].map(
      (name): [string, string] => [name, ID],
    ),
    ["BASE", "https://mail.example.com"],
    ["base", API],
    ["json", "Content-Type: application/json"],
  ]);
  const guides = { audience, bounces, broadcasts, deployment, sending, webhooks };

  it.each(Object.entries(guides))(
    "calls an existing route with a valid body: %s",
    (_name, text) => {
      const faults: string[] = [];
      let calls = 0;
      for (const words of curlsOf(text)) {
        const [first] = words.flat();
        const isOther = words.some((word) =>
          word.some((part) => "text" in part && /^(?:…|http:)/.test(part.text)),
        );
        if (first === undefined || isOther) continue; // a call of the machine itself, or a part of one
        const { url, init } = requestOf(words, variables);
        const route = routeOf(init.method, new URL(url).pathname);
        calls += 1;
        if (!route) faults.push(`${init.method} ${url}`);
        if (!init.body?.startsWith("{") && !init.body?.startsWith("[")) continue;
        const body: unknown = JSON.parse(init.body.replaceAll(/"(?:…|ID)"/g, `"${ID}"`));
        const judged = route && bodyValidator(route).validate(body);
        if (judged?.valid === false) faults.push(`${url}: ${JSON.stringify(judged.errors)}`);
      }
      expect([calls > 0, faults]).toEqual([true, []]);
    },
  );
});
