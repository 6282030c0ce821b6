/*
 * The border that every request crosses on all surfaces: methods, spellings of paths, headers of
 * answers and bodies. routes.test.ts checks each route.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { API_ROUTES } from "../../src/http/routes.ts";
import { createService, unique, type Client } from "../support/service.ts";
import { refusal } from "../support/refusals.ts";

const service = createService();
let owner: Client;
let project: { id: string; key: string };

beforeAll(async () => {
  owner = await service.newOwner();
  project = await owner.newProject();
});

/**
 * Returns the routes that a path leads to: `/subscribers/import` is also one of `/subscribers/:id`.
 */
const routesAt = (path: string) =>
  API_ROUTES.filter((route) => {
    const pattern = route.path.replaceAll(/:\w+(?:\{[^}]*\})?/g, "[^/]+");
    return new RegExp(`^${pattern}$`).test(path);
  });

describe("the HTTP layer", () => {
  it("answers 405 to an unsupported method of an existing path, with an Allow header", async () => {
    for (const path of new Set(API_ROUTES.map((route) => route.path))) {
      const methods = new Set<string>(routesAt(path).map(({ method }) => method));
      if (methods.has("GET")) methods.add("HEAD");
      const others = ["GET", "PUT", "PATCH", "DELETE"].filter((method) => !methods.has(method));
      for (const method of others) {
        const at = path.replaceAll(/:\w+/g, () => crypto.randomUUID());
        const answer = await service.anonymous.request(method, at);
        expect(answer).toEqual(refusal(405));
        expect(answer.headers.get("Allow")).toBe([...methods].toSorted().join(", "));
      }
    }
  });

  it("answers 405 to HEAD on a path without GET, and writes nothing", async () => {
    const onlyWritten = API_ROUTES.filter(
      ({ path }) => !routesAt(path).some(({ method }) => method === "GET"),
    );
    expect(onlyWritten.length).toBeGreaterThan(3);
    service.d1.reset();
    for (const { path } of onlyWritten) {
      const at = path.replace(":id", project.id).replaceAll(/:\w+/g, () => crypto.randomUUID());
      const headers = { Cookie: owner.cookie };
      const response = await service.fetch(`/api/v1${at}`, { method: "HEAD", headers });
      expect(response.status).toBe(405);
    }
    expect(service.d1.rowsWritten).toBe(0);
  });

  it.each(["/health", "/version", "/api/v1/openapi.json"])(
    "lets pages of any site read %s, including errors, without credentials",
    async (path) => {
      const ask = async (method: string) => {
        const headers = { Origin: "https://landing.example", Cookie: owner.cookie };
        const answer = await service.fetch(path, { method, headers });
        await answer.body?.cancel();
        return answer;
      };
      for (const [method, status] of [
        ["GET", 200],
        ["POST", 405],
      ] as const) {
        const answer = await ask(method);
        expect(answer.status).toBe(status);
        expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
        expect(answer.headers.get("Access-Control-Allow-Credentials")).toBeNull();
      }
    },
  );

  it("forbids caching of all /api/v1 responses except the document, including errors", async () => {
    const key = service.withKey(project.key);
    const oversize = `"${"x".repeat(16 * 1_048_576 + 1)}"`; // the import accepts 16 MiB
    const others = API_ROUTES.filter(({ path }) => path !== "/openapi.json");
    const refused = others.map(({ method, path }) => {
      const at = path.replace(":id", project.id).replaceAll(/:\w+/g, () => crypto.randomUUID());
      return service.anonymous.request(method, at, method === "GET" ? undefined : '{"name": ');
    });
    const answers = [
      ...(await Promise.all(refused)),
      await owner.get("/projects"),
      await owner.get(`/projects/${project.id}/logs`),
      await owner.post("/projects", oversize),
      await owner.get("/nothing"),
      await key.get("/subscribers"),
      await key.post("/send", {}),
    ];
    for (const { headers } of answers) expect(headers.get("Cache-Control")).toBe("no-store");
  });

  it("tells a form from JSON with a fault, whatever its type says", async () => {
    const post = async (type: string, body: string) => {
      const headers = { Authorization: `Bearer ${project.key}`, "Content-Type": type };
      const path = `/api/v1/projects/${project.id}/send`;
      const answer = await service.fetch(path, { method: "POST", headers, body });
      return [answer.status, await answer.json()];
    };
    const form = "application/x-www-form-urlencoded";
    const error = "the body is a form: send JSON with `Content-Type: application/json`";
    const isForm = [400, { error, code: "body_is_form" }];
    expect(await post(form, "to=ann%40example.com&subject=Hi")).toEqual(isForm);
    expect(await post("multipart/form-data; boundary=x", "--x\r\n\r\n--x--")).toEqual(isForm);
    expect(await post(form, '{"to": "ann@example.com",\n}')).toEqual([
      400,
      {
        error: "the body is not valid JSON: line 2, column 1",
        code: "body_not_json",
        params: { line: 2, column: 1 },
      },
    ]);
  });

  it("answers 405 on the public paths, too", async () => {
    const id = crypto.randomUUID();
    const PATHS = {
      "/health": "GET, HEAD",
      "/version": "GET, HEAD",
      [`/t/${id}.gif`]: "GET, HEAD",
      [`/c/${id}/payload`]: "GET, HEAD",
      [`/unsubscribe/${id}/${id}`]: "GET, HEAD, POST",
      [`/webhooks/bounces/${id}`]: "POST",
    };
    for (const [path, allow] of Object.entries(PATHS)) {
      const answer = await service.fetch(path, { method: "PUT" });
      expect([path, answer.status, answer.headers.get("Allow")]).toEqual([path, 405, allow]);
      expect(await answer.json()).toMatchObject({ error: expect.stringContaining(allow) });
    }
  });

  it("sets the headers that prevent content sniffing on every response of every API", async () => {
    const [headers, id] = [{ Cookie: owner.cookie }, crypto.randomUUID()];
    const asked: [string, RequestInit, number][] = [
      ["/api/v1/projects", { headers }, 200],
      ["/api/v1/projects", {}, 401],
      ["/api/v1/subscribers", {}, 401],
      ["/api/v1/subscribers", { method: "PUT" }, 405],
      ["/api/v1/nothing", {}, 404],
      ["/health", {}, 200],
      ["/version", {}, 200],
      [`/t/${id}.gif`, {}, 200],
      ["/t/nothing", {}, 404],
      [`/t/${id}.gif`, { method: "PUT" }, 405],
      [`/c/${id}/payload`, {}, 400],
      [`/unsubscribe/${id}/${id}`, {}, 404],
      [`/webhooks/bounces/${id}`, { method: "POST" }, 401],
      ["/", {}, 404],
    ];
    for (const [path, init, status] of asked) {
      const answer = await service.fetch(path, init);
      const nosniff = answer.headers.get("X-Content-Type-Options");
      expect([path, answer.status, nosniff]).toEqual([path, status, "nosniff"]);
      expect(answer.headers.get("Strict-Transport-Security")).toBeNull();
    }
    const broken = await createService({ JWT_SECRET: "" }).fetch("/health");
    expect([broken.status, broken.headers.get("X-Content-Type-Options")]).toEqual([503, "nosniff"]);
  });

  it("lets pages of other sites embed its pixel, even under alternative spellings of its path", async () => {
    for (const path of ["/t/x.gif", "/%74/x.gif"]) {
      const { status, headers } = await service.fetch(path);
      expect([status, headers.get("Cross-Origin-Resource-Policy")]).toEqual([200, "cross-origin"]);
    }
  });

  it("accepts a trailing slash, and UUIDs in uppercase", async () => {
    const path = `/projects/${project.id}/subscribers`;
    const made = await owner.post<{ id: string }>(path, { email: `${unique("upper")}@any.test` });
    const upper = `/projects/${project.id.toUpperCase()}`;
    const one = `${upper}/subscribers/${made.body.id.toUpperCase()}/`;
    const patched = await owner.request("PATCH", one, { status: "pending" });
    expect(patched).toMatchObject({ status: 200, body: { id: made.body.id, status: "pending" } });
    for (const client of [owner, service.withKey(project.key)])
      expect(await client.get(`${upper}/subscribers/`)).toMatchObject({ status: 200 });
    expect((await owner.delete(one)).status).toBe(204);
  });
});

describe("a body with caller-defined keys", () => {
  /** Text that JSON.stringify would not write: a literal with this name sets a prototype. */
  const proto = '{"__proto__":"x","constructor":"c"}';
  const mail = '"to":"a@names.test","subject":"s","html_body":"<p>x</p>"';
  const template = `"template_id":"${crypto.randomUUID()}"`;

  it.each([
    ["/subscribers", `{"email":"a@names.test","metadata":${proto}}`, "metadata"],
    ["/send", `{${mail},"tags":${proto}}`, "tags"],
    ["/send", `{${mail},"headers":${proto}}`, "headers"],
    ["/send", `{${template},"to":"a@names.test","data":${proto}}`, "data"],
    ["/broadcasts", `{"name":"n","variables":${proto}}`, "variables"],
  ])(
    "is rejected at %s with the key that no object can hold, and the error gives its path: %s",
    async (path, body, at) => {
      const answer = await owner.post(`/projects/${project.id}${path}`, body);
      expect(answer.body).toMatchObject({
        error: expect.stringContaining(`${at}.__proto__: must have another name`),
      });
      expect(answer.status).toBe(400);
    },
  );

  it("keeps every other key, and that one at deeper levels", async () => {
    const metadata = '{"constructor":"c","toString":"t","in":{"__proto__":"x"}}';
    const path = `/projects/${project.id}/subscribers`;
    const { status, body } = await owner.post(
      path,
      `{"email":"${unique("named")}@names.test","metadata":${metadata}}`,
    );
    expect(status).toBe(201);
    const read = await owner.get(`${path}/${String(body["id"])}`);
    expect([body, read.body].map((one) => JSON.stringify(one["metadata"]))).toEqual([
      metadata,
      metadata,
    ]);
  });
});

describe("an error that quotes the caller's text", () => {
  it("is truncated between characters, never within one", async () => {
    const path = `/projects/${project.id}/send`;
    const mail = { to: "a@cut.test", subject: "s", html_body: "<p>x</p>" };
    for (const length of [193, 194, 195]) {
      const tags = { [`${"x".repeat(length)}😀${"y".repeat(50)}`]: 5 };
      const { status, body } = await owner.post<{ error: string }>(path, { ...mail, tags });
      expect(status).toBe(400);
      expect(body.error).toContain("x".repeat(length));
      expect(body.error.isWellFormed()).toBe(true);
    }
  });

  it("lists addresses truncated between characters", async () => {
    const emails = [318, 319, 320].map((length) => `${"x".repeat(length)}😀`);
    const path = `/projects/${project.id}/suppressions`;
    const { body } = await owner.post<{ rejected: { email: string }[] }>(path, { emails });
    const told = body.rejected.map(({ email }) => email);
    expect(told).toEqual([emails[0], "x".repeat(319), "x".repeat(320)]);
  });
});

/** Address of every request that a Worker of another zone makes. */
const WORKERS = "2a06:98c0:3600::103";

describe("requests from other Workers", () => {
  let minutes = 0;
  /** An isolate whose clock stands still, far from the counts of other tests. */
  function newIsolate() {
    const now = Date.UTC(2026, 8, 9, 8, ++minutes * 2);
    const isolate = createService({}, { now: () => now });
    /** Status of a call with this key, and the calls that it leaves. */
    const ask = async (key: string, path: string, address = WORKERS) => {
      const headers = { "CF-Connecting-IP": address, Authorization: `Bearer ${key}` };
      const answer = await isolate.fetch(path, { headers });
      return [answer.status, Number(answer.headers.get("RateLimit-Remaining"))];
    };
    const read = (key: string) => ask(key, `/api/v1/projects/${project.id}/subscribers`);
    return { ask, read };
  }

  it("count against a valid key, and not against others at the same address", async () => {
    const { read } = newIsolate();
    expect(await read(project.key)).toEqual([200, 599]); // as one of all Workers
    expect(await read("sk_made-up")).toEqual([401, 598]);
    expect(await read(project.key)).toEqual([200, 599]);
    expect(await read(project.key)).toEqual([200, 598]);
    expect(await read("sk_made-up")).toEqual([401, 597]);
  });

  it("without a valid key count as one client, however many keys they try", async () => {
    const { ask, read } = newIsolate();
    expect(await read("sk_made-up-1")).toEqual([401, 599]);
    expect(await read("sk_made-up-2")).toEqual([401, 598]);
    // A public path checks no key, so it proves none.
    expect(await ask(project.key, "/version")).toEqual([200, 597]);
    expect(await ask(project.key, "/version")).toEqual([200, 596]);
    expect(await ask(project.key, "/version", "2a06:98c0:3600::104")).toEqual([200, 599]);
  });

  it("lose their own count when their key expires", async () => {
    const { read } = newIsolate();
    const path = `/projects/${project.id}/api-keys`;
    const { body } = await owner.post<{ id: string; key: string }>(path, { name: "Short-lived" });
    expect(await read(body.key)).toEqual([200, 599]);
    expect(await read(body.key)).toEqual([200, 599]);
    expect((await owner.delete(`${path}/${body.id}`)).status).toBe(204);
    expect(await read(body.key)).toEqual([401, 598]);
    expect(await read(body.key)).toEqual([401, 598]); // as one of all Workers, the second
  });
});
