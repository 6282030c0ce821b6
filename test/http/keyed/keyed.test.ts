/* The key-based API (API reference §17); see also the other files here. */
import { env } from "cloudflare:test";
import PostalMime from "postal-mime";
import { beforeAll, describe, expect, it } from "vitest";
import { KEYED_ROUTES } from "../../../src/http/keyed/index.ts";
import type { Route } from "../../../src/http/route/declaration.ts";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import { nested } from "../../support/nested.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";
import type { Answer, Client } from "../../support/service.ts";
import { keyedRefusal as refusal } from "../../support/refusals.ts";

const service = createService();
const owner = await service.newOwner();
const address = () => `${unique("keyed")}@any.test`;
const MALFORMED = '{"email": ';
const LARGE = `{"email": ${"[".repeat(70_000)}`; // over 64 KiB
const OVERSIZE = `"${"x".repeat(1_048_577)}"`;
const PAGE = { Origin: "https://shop.example", "Sec-Fetch-Site": "cross-site" };

type Type = "sk" | "pk" | "sdk";

async function newKey(projectId: string, type: Type, more: object = {}) {
  const path = `/projects/${projectId}/api-keys`;
  const input = { name: type, type, ...more };
  return (await owner.post<{ id: string; key: string }>(path, input)).body;
}

/** A project with a client for each kind of key. */
async function newProject(options: Parameters<Client["newProject"]>[0] = CAPTURING) {
  const { id } = await owner.newProject(options);
  const [pk, sdk] = [await newKey(id, "pk"), await newKey(id, "sdk")];
  return {
    id,
    path: `/projects/${id}`,
    pk: service.withKey(pk.key),
    sdk: service.withKey(sdk.key),
    keys: { pk: pk.key, sdk: sdk.key },
  };
}

const UNKNOWN_ID = crypto.randomUUID();
const call = (client: Client, { method, path }: Route, body: unknown = MALFORMED) =>
  client.request(method, path.replace(/:\w+/, UNKNOWN_ID), method === "POST" ? body : undefined);

/** Makes a call that counts: /join counts only those with a valid body. */
const count = (by: Client, route: Route) => call(by, route, { email: address() });

/** Status of a call that passes all checks: the body is bad, and no broadcast has such an id. */
const passing = ({ method, path }: Route) =>
  method === "POST" ? 400 : path.includes(":") ? 404 : 200;

/** Envelope of a failure: these two fields and no other. */
const counts = (answers: Answer[]) => {
  const found: Record<number, number> = {};
  for (const { status } of answers) found[status] = (found[status] ?? 0) + 1;
  return found;
};

const OWN = KEYED_ROUTES.slice(0, 6); // this API alone has them
const named = OWN.map((route) => [`${route.method} ${route.path}`, route] as const);
const project = await newProject();
const neighbour = await newProject();

describe("the table of the key-based API", () => {
  it("has six routes of its own, only one of which accepts public keys and browsers", () => {
    expect(named.map(([name, { auth, anyOrigin }]) => [name, auth, anyOrigin])).toEqual([
      ["POST /join", "public_or_secret", true],
      ["GET /subscribers", "secret", false],
      ["POST /send", "secret", false],
      ["POST /broadcast", "secret", false],
      ["GET /broadcasts/:broadcastId", "secret", false],
      ["POST /track", "secret", false],
    ]);
  });
});

describe.each(named)("%s", (_name, route) => {
  it("answers 401 without a key of this API, before any other check", async () => {
    const [revoked, sk] = [await newKey(project.id, "sdk"), await newKey(project.id, "sk")];
    await owner.delete(`${project.path}/api-keys/${revoked.id}`);
    const keys = ["garbage", `sdk_${"0".repeat(43)}`, `${project.keys.sdk}0`, "pk_' or 1=1 --"];
    for (const key of [...keys, revoked.key])
      expect(await call(service.withKey(key), route)).toEqual(refusal(401));
    const isSecret = route.auth === "secret";
    const wanted = isSecret ? "a secret key (sdk_)" : "a public key (pk_) or a secret key (sdk_)";
    const told = refusal(401, `this is a project key (sk_): this endpoint needs ${wanted}`);
    expect(await call(service.withKey(sk.key), route)).toEqual(told);
    for (const client of [service.anonymous, owner])
      for (const body of [MALFORMED, LARGE])
        expect(await call(client, route, body)).toEqual(refusal(401));
    for (const Authorization of ["", "Bearer", `Basic ${project.keys.sdk}`, project.keys.sdk]) {
      const body = route.method === "POST" ? MALFORMED : undefined;
      const answer = service.anonymous.request(route.method, route.path, body, { Authorization });
      expect(await answer).toEqual(refusal(401));
    }
  });

  it("answers 401 to the key of a deleted project", async () => {
    const gone = await newProject();
    await env.DB.exec(`delete from projects where id = '${gone.id}'`); // keys may follow later
    expect(await call(gone.sdk, route)).toEqual(refusal(401));
  });

  it("answers 403 to a public key before rate and body checks unless the route allows one", async () => {
    const answer = await call(project.pk, route);
    const told = "this is a public key (pk_): this endpoint needs a secret key (sdk_)";
    expect(answer).toEqual(route.auth === "secret" ? refusal(403, told) : refusal(400));
    if (route.auth === "secret") expect(answer.headers.get("RateLimit-Limit")).toBeNull();
  });

  it("answers 405 in the envelope to other methods, with the allowed ones", async () => {
    const taken = KEYED_ROUTES.filter(({ path }) => path === route.path).map((r) => r.method);
    const others = ["GET", "POST", "PUT"].filter((method) => !taken.includes(method as "GET"));
    for (const method of others) {
      const answer = await service.anonymous.request(method, `${route.path}/`);
      expect(answer).toEqual(refusal(405));
      const allowed = [...taken, ...(taken.includes("GET") ? ["HEAD"] : [])].toSorted();
      expect(answer.headers.get("Allow")).toBe(allowed.join(", "));
    }
  });

  it("accepts a trailing slash", async () => {
    const { status, body } = await call(project.sdk, { ...route, path: `${route.path}/` });
    expect([status, body]).toEqual([passing(route), (await call(project.sdk, route)).body]);
  });

  it("allows its number of calls a minute, then answers 429, before 400 except on /join", async () => {
    const own = await newProject();
    const limit = { "/broadcast": 10, "/track": 600 }[route.path] ?? 60;
    const passed = route.path === "/join" ? 201 : passing(route);
    const answers = await Promise.all(
      Array.from({ length: limit + 10 }, () => count(own.sdk, route)),
    );
    expect(counts(answers)).toEqual({ [passed]: limit, 429: 10 });
    for (const { status, headers, body } of answers) {
      expect(headers.get("RateLimit-Limit")).toBe(String(limit));
      expect(headers.get("RateLimit-Reset")).toMatch(/^(?:[1-5]?\d|60)$/);
      if (status !== 429) continue;
      expect(headers.get("RateLimit-Remaining")).toBe("0");
      expect(headers.get("Retry-After")).toMatch(/^(?:[1-9]|[1-5]\d|60)$/);
      expect(body).toMatchObject({ success: false, error: expect.stringContaining(String(limit)) });
    }
    for (const body of [LARGE, OVERSIZE])
      expect((await call(own.sdk, route, body)).status).toBe(route.path === "/join" ? 413 : 429);
    for (const other of OWN.filter(({ limit: bucket }) => bucket !== route.limit))
      expect((await call(own.sdk, other)).status).not.toBe(429); // one bucket a route
    const send = await owner.post(`${own.path}/send`, {});
    expect(send.headers.get("RateLimit-Remaining")).toBe("59"); // and one a surface
  });

  it("applies a key's own limit", async () => {
    const slow = await newKey(project.id, "sdk", { rate_limit_per_minute: 3 });
    const client = service.withKey(slow.key);
    const answers = await Promise.all(Array.from({ length: 5 }, () => count(client, route)));
    expect(counts(answers)[429]).toBe(2);
    expect(answers[0]?.headers.get("RateLimit-Limit")).toBe("3");
    expect((await call(neighbour.sdk, route)).status).not.toBe(429);
  });

  it("answers 503 to writes but still reads when the limiter is unreachable", async () => {
    const down = { take: () => Promise.reject(new Error("the object is overloaded")) };
    const limiter = { idFromName: (name: string) => name, get: () => down };
    const broken = createService({
      PROJECT_SENDER: limiter as unknown as typeof env.PROJECT_SENDER,
    });
    const answer = await count(broken.withKey(project.keys.sdk), route);
    expect(answer.status).toBe(route.method === "GET" ? passing(route) : 503);
    if (route.method === "POST") expect(answer).toEqual(refusal(503));
  });

  it("answers 429 in the envelope to an address over its limit, at no cost", async () => {
    const limited = createService({}, { now: () => Date.UTC(2026, 4, 5) }); // a minute without an end
    const headers = { "CF-Connecting-IP": "192.0.2.77" };
    const ask = () => limited.anonymous.request(route.method, route.path, undefined, headers);
    for (let n = 0; n < 600; n++) await ask();
    limited.d1.reset();
    const answer = await ask();
    expect(answer).toEqual(refusal(429));
    expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(limited.d1.roundTrips).toBe(0);
    const origin = answer.headers.get("Access-Control-Allow-Origin");
    expect(origin).toBe(route.anyOrigin ? "*" : null);
  });

  it("answers 500 in the envelope without details when the database fails", async () => {
    const failing = createService();
    failing.d1.before = () => {
      throw new Error("secret detail");
    };
    const answer = await call(failing.withKey(project.keys.sdk), route);
    expect(answer).toEqual(refusal(500, "internal error"));
  });

  it("answers 503 in the envelope when a setting of the service is missing", async () => {
    const answer = await call(createService({ JWT_SECRET: "" }).anonymous, route);
    expect(answer).toEqual(refusal(503, expect.stringContaining("JWT_SECRET")));
  });

  it("records the use of the key", async () => {
    const used = await newKey(project.id, "sdk");
    await call(service.withKey(used.key), route);
    const { body } = await owner.get<{ api_keys: Record<string, unknown>[] }>(
      `${project.path}/api-keys`,
    );
    const shown = body.api_keys.find(({ id }) => id === used.id);
    expect(shown?.["last_used_at"]).toEqual(expect.any(String));
  });
});

describe.each(named.filter(([, { method }]) => method === "POST"))("%s", (_name, route) => {
  it("answers 400 to a body that is not a JSON object, and 413 to one that is too large", async () => {
    const { sdk } = await newProject();
    for (const body of [MALFORMED, "[]", "null", '"text"'])
      expect(await call(sdk, route, body)).toEqual(refusal(400));
    for (const body of ["", {}]) {
      const error = expect.stringMatching(/^missing required field: |^name: is required/);
      expect(await call(sdk, route, body)).toMatchObject({ status: 400, body: { error } });
    }
    expect(await call(sdk, route, OVERSIZE)).toEqual(refusal(413));
  });
});

describe("a page of another site", () => {
  const preflight = (path: string) =>
    service.fetch(`/api/v1${path}`, {
      method: "OPTIONS",
      headers: {
        ...PAGE,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
      },
    });

  it("can join: its preflight is cached for a day and allows no credentials", async () => {
    const { status, headers } = await preflight("/join");
    expect(status).toBe(204);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Access-Control-Allow-Methods")).toBe("POST");
    expect(headers.get("Access-Control-Allow-Headers")).toBe("Authorization,Content-Type");
    expect(headers.get("Access-Control-Max-Age")).toBe("86400");
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
  });

  it("can read every response of /join and its rate limits", async () => {
    const { pk, path } = await newProject();
    const email = address();
    const answers = [
      await pk.post("/join", { email }, PAGE),
      await pk.post("/join", { email }, PAGE),
      await pk.post("/join", {}, PAGE),
      await pk.post("/join", OVERSIZE, PAGE),
      await service.anonymous.post("/join", { email }, PAGE),
      await pk.request("PUT", "/join", {}, PAGE),
      await createService({ JWT_SECRET: "" }).anonymous.post("/join", {}, PAGE),
    ];
    await Promise.all(Array.from({ length: 58 }, () => pk.post("/join", { email }, PAGE)));
    answers.push(await pk.post("/join", { email }, PAGE));
    expect(answers.map(({ status }) => status)).toEqual([201, 409, 400, 413, 401, 405, 503, 429]);
    for (const { headers } of answers) {
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
      expect(headers.get("Access-Control-Expose-Headers")?.split(",")).toEqual([
        "Retry-After",
        "RateLimit-Limit",
        "RateLimit-Remaining",
        "RateLimit-Reset",
      ]);
    }
    expect((await owner.get(`${path}/subscribers`)).body).toMatchObject({ total: 1 });
  });

  it.each(["/subscribers", "/send", "/broadcast"])("gets no CORS header from %s", async (path) => {
    const route = KEYED_ROUTES.find((other) => other.path === path);
    const answer = await project.sdk.request(route?.method ?? "", path, undefined, PAGE);
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
    const asked = await preflight(path);
    expect(asked.status).toBe(405);
    expect(asked.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });
});

describe("POST /join", () => {
  const subscribers = async (path: string) =>
    (await owner.get<{ subscribers: Record<string, unknown>[] }>(`${path}/subscribers`)).body
      .subscribers;

  it.each(["pk", "sdk"] as const)(
    "adds an active subscriber without a name with a %s_ key",
    async (type) => {
      const own = await newProject();
      const email = address();
      const metadata = { source: "landing", plan: { tier: 2 } };
      service.d1.reset();
      const answer = await own[type].post("/join", {
        email: ` ${email.toUpperCase()} `,
        name: "Joe",
        metadata,
        unknown: 1,
      });
      expect(service.d1.roundTrips).toBe(2);
      expect(answer.status).toBe(201);
      const warnings = ["name", "unknown"].map((path) => expect.objectContaining({ path }));
      const data = { email, message: expect.any(String), warnings };
      expect(answer.body).toEqual({ success: true, data });
      expect(await subscribers(own.path)).toEqual([
        expect.objectContaining({ email, name: "", status: "active", metadata }),
      ]);
    },
  );

  it("answers 409 to an email on the list and overwrites nothing", async () => {
    const { path, pk } = await newProject();
    for (const status of ["active", "pending"]) {
      const email = address();
      await owner.post(`${path}/subscribers`, { email, name: "Before", status });
      const [before] = await subscribers(path);
      const body = { email, name: "After", metadata: { a: 1 }, sendWelcomeEmail: true };
      expect(await pk.post("/join", body)).toEqual(refusal(409));
      expect((await subscribers(path))[0]).toEqual(before);
    }
  });

  it("adds the subscriber only to the key's own project", async () => {
    const [mine, theirs] = [await newProject(), await newProject()];
    const email = address();
    expect((await mine.pk.post("/join", { email })).status).toBe(201);
    expect((await theirs.pk.post("/join", { email })).status).toBe(201);
    expect(await subscribers(mine.path)).toHaveLength(1);
  });

  it.each([
    [{}, "missing required field: email"],
    [{ email: "" }, "missing required field: email"],
    [{ email: 7 }, "email: must be a string"],
    [{ email: "nobody" }, /^email: /],
    [{ email: "a@b.test\r\nBcc: c@d.test" }, /^email: /],
    [{ email: "a@b.test", metadata: [] }, /^metadata: /],
    [{ email: "a@b.test", metadata: { long: "x".repeat(9_000) } }, /^metadata: /],
    [{ email: "a@b.test", metadata: nested(21) }, /^metadata: must not be nested deeper than 20/],
    [{ email: "a@b.test", sendWelcomeEmail: "yes" }, /^sendWelcomeEmail: /],
  ])("answers 400 to %j", async (body, error) => {
    const words = typeof error === "string" ? error : expect.stringMatching(error);
    expect(await neighbour.pk.post("/join", body)).toEqual(refusal(400, words));
  });
});

describe("GET /subscribers", () => {
  type List = {
    data: {
      subscribers: Record<string, unknown>[];
      pagination: Record<string, number>;
    };
  };
  let own: Awaited<ReturnType<typeof newProject>>;
  const emails = Array.from({ length: 110 }, () => address());
  beforeAll(async () => {
    own = await newProject();
    const add = (email: string) => owner.post(`${own.path}/subscribers`, { email });
    await Promise.all(emails.slice(0, 109).map(add));
    await own.pk.post("/join", { email: emails[109], metadata: { source: "x" } });
  });

  it("lists email, metadata and createdAt, newest first, in one round trip", async () => {
    service.d1.reset();
    const { status, body } = await own.sdk.get<List>("/subscribers?limit=2");
    expect(service.d1.roundTrips).toBe(1);
    expect(status).toBe(200);
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(body).toEqual({
      success: true,
      data: {
        subscribers: [
          { email: emails[109], metadata: { source: "x" }, createdAt },
          { email: expect.any(String), metadata: {}, createdAt },
        ],
        pagination: { total: 110, limit: 2, offset: 0 },
      },
    });
  });

  it.each([
    ["", 50, 0, 50],
    ["?limit=100", 100, 0, 100],
    ["?limit=101", 100, 0, 100],
    ["?limit=100000&offset=100", 100, 100, 10],
    ["?limit=5&offset=109", 5, 109, 1],
    ["?offset=200", 50, 200, 0],
  ])("pages %s", async (query, limit, offset, length) => {
    const { body } = await own.sdk.get<List>(`/subscribers${query}`);
    expect(body.data.pagination).toEqual({ total: 110, limit, offset });
    expect(body.data.subscribers).toHaveLength(length);
  });

  it.each(["?limit=0", "?limit=-1", "?limit=x", "?limit=1.5", "?offset=-1", "?offset=x"])(
    "answers 400 to %s",
    async (query) => expect(await own.sdk.get(`/subscribers${query}`)).toEqual(refusal(400)),
  );

  it("shows nothing of another project", async () => {
    const { body } = await (await newProject()).sdk.get<List>("/subscribers");
    expect(body.data).toEqual({ subscribers: [], pagination: { total: 0, limit: 50, offset: 0 } });
  });
});

describe("POST /send", () => {
  const own: { current: Awaited<ReturnType<typeof newProject>> } = { current: project };
  const send = (body: object, headers?: Record<string, string>) =>
    own.current.sdk.post<{ data: Record<string, unknown> }>("/send", body, headers);
  const mailTo = async (to: string) => PostalMime.parse((await waitForMessage(to)).raw);
  const logOf = async (to: string) =>
    (
      await owner.get<{ logs: Record<string, unknown>[] }>(`${own.current.path}/logs?limit=200`)
    ).body.logs.filter(({ to_email: email }) => email === to);
  const join = async (fields: object = {}) => {
    const email = address();
    await own.current.pk.post("/join", { email, ...fields });
    return email;
  };
  beforeAll(async () => {
    own.current = await newProject();
  });

  it("sends HTML with its variables in two round trips and answers with its log entry", async () => {
    const to = address();
    service.d1.reset();
    const answer = await send({
      to,
      html: "<p>Hi {{name}} {{email}}{{missing}}</p>",
      subject: "For {{name}}",
      data: { name: "<Al>" },
    });
    expect(service.d1.roundTrips).toBe(2);
    expect(answer.status).toBe(200);
    const data = { message: "sent", template: null, to, id: expect.any(String) };
    expect(answer.body).toEqual({ success: true, data });
    const mail = await mailTo(to);
    expect(mail.subject).toBe("For <Al>");
    expect(mail.html).toContain(`<p>Hi &lt;Al&gt; ${to}</p>`);
    expect(await logOf(to)).toMatchObject([
      { id: answer.body.data["id"], status: "sent", subscriber_id: null, template_id: null },
    ]);
  });

  it.each([
    ["verification", { code: "492 817" }, "492 817"],
    ["welcome", { name: "Ann" }, "Ann"],
    ["purchase_confirmation", { order_id: "A-7731" }, ""],
    ["credentials", { name: "Ann" }, "Ann"],
  ])("renders the built-in template %s", async (template, data, shown) => {
    const email = address();
    const answer = await send({ email, template, data });
    expect(answer.body).toMatchObject({ success: true, data: { template, to: email } });
    const mail = await mailTo(email);
    expect(mail.subject).toMatch(/\w/);
    expect(mail.html).toContain(shown);
    expect(mail.text).toContain(shown);
    expect(`${mail.subject}${mail.html}${mail.text}`).not.toContain("{{");
    expect(await logOf(email)).toMatchObject([{ status: "sent", template_id: null }]);
  });

  it("prefers the project's own template to a built-in of the same name, the last changed first", async () => {
    const fields = { name: "verification", html_body: "<p>{{code}}</p>", text_body: "" };
    const old = await owner.post(`${own.current.path}/templates`, { ...fields, subject: "Old" });
    const made = await owner.post(`${own.current.path}/templates`, { ...fields, subject: "New" });
    const [one, two, three] = [address(), address(), address()];
    await send({ to: one, template: "verification", data: { code: 1 } });
    expect((await mailTo(one)).subject).toBe("New");
    expect(await logOf(one)).toMatchObject([{ template_id: made.body["id"] }]);
    await owner.put(`${own.current.path}/templates/${String(old.body["id"])}`, {
      subject: "Older",
    });
    await send({ to: two, template: "verification", data: { code: 1 } });
    expect((await mailTo(two)).subject).toBe("Older");
    await neighbour.sdk.post("/send", { to: three, template: "verification", data: { code: 1 } });
    expect((await mailTo(three)).subject).not.toMatch(/Old|New/);
  });

  it("fills variables into the call's subject when it names a template", async () => {
    const [to, other] = [address(), address()];
    const data = { name: "A & B" };
    await send({ to, template: "welcome", subject: "Given {{name}}", data });
    expect((await mailTo(to)).subject).toBe("Given A & B");
    await send({ to: other, template: "welcome", subject: "", data: { product_name: "Shop" } });
    expect((await mailTo(other)).subject).toMatch(/welcome/i);
  });

  it("ignores an empty template or html if the other is given, and null anywhere", async () => {
    const [one, other] = [address(), address()];
    const html = "<p>Own</p>";
    await send({ to: one, email: "", template: "", html, subject: "s", data: null });
    expect((await mailTo(one)).html).toContain(html);
    await send({ to: other, template: "welcome", html: "", subject: null });
    expect((await mailTo(other)).subject).toMatch(/welcome/i);
  });

  it("fills in a subscriber's variables by address, whatever its status; data takes precedence", async () => {
    const email = await join({ metadata: { plan: "gold" } });
    const html = "<p>{{name}} {{metadata.plan}} {{extra}} [{{subscriber_id}}]</p>";
    const { body } = await owner.get<{ subscribers: Record<string, string>[] }>(
      `${own.current.path}/subscribers?limit=1`,
    );
    const id = body.subscribers[0]?.["id"] ?? "";
    await owner.request("PATCH", `${own.current.path}/subscribers/${id}`, {
      status: "unsubscribed",
    });
    const data = { name: "Given", extra: "more" };
    expect((await send({ to: email, subject: "s", html, data })).status).toBe(200);
    const mail = await mailTo(email);
    expect(mail.html).toContain(`<p>Given gold more [${id}]</p>`);
    expect(mail.html).not.toContain("/unsubscribe/"); // no link unless the HTML names it
    expect(mail.headers.some(({ key }) => key === "list-unsubscribe")).toBe(false);
    expect(await logOf(email)).toMatchObject([{ subscriber_id: id, status: "sent" }]);
  });

  it.each(["unsubscribe_link", "unsubscribe_url"])(
    "writes an untracked unsubscribe link into {{%s}} that data cannot replace",
    async (name) => {
      const email = await join();
      const html = `<p><a href="{{${name}}}">leave</a></p>`;
      await send({ to: email, subject: "s", html, data: { [name]: "https://evil.test/" } });
      const mail = await mailTo(email);
      const link = /href="([^"]*\/unsubscribe\/[^"]*)"/.exec(mail.html ?? "")?.[1] ?? "";
      expect(mail.headers.find(({ key }) => key === "list-unsubscribe")?.value).toContain(link);
      const page = await service.fetch(new URL(link).pathname);
      expect(page.status).toBe(200);
      const { body } = await owner.get<{ subscribers: object[] }>(
        `${own.current.path}/subscribers?limit=1`,
      );
      expect(body.subscribers).toMatchObject([{ email, status: "unsubscribed" }]);
    },
  );

  it("does not use subscribers of another project", async () => {
    const email = await join({ metadata: { plan: "secret" } });
    const html = "<p>[{{metadata.plan}}]</p>";
    await neighbour.sdk.post("/send", { to: email, subject: "s", html });
    expect((await mailTo(email)).html).toContain("<p>[]</p>");
    const template = unique("private");
    await owner.post(`${own.current.path}/templates`, { name: template, html_body: "<p>x</p>" });
    expect((await send({ to: email, template })).status).toBe(200);
    const { body } = await neighbour.sdk.post("/send", { to: email, template });
    expect(body).toMatchObject({ success: false, error: "template not found" });
  });

  it("answers 422 to a suppressed address, logs it and sends nothing", async () => {
    const to = address();
    await owner.post(`${own.current.path}/suppressions`, { emails: [to] });
    expect(await send({ to, template: "welcome" })).toEqual(refusal(422));
    expect(await receivedMessages(to)).toEqual([]);
    expect(await logOf(to)).toMatchObject([{ status: "suppressed" }]);
  });

  it("answers 502 to a rejected mail, 400 without SMTP settings, 404 without the template", async () => {
    const refused = `rcpt.550.5.1.1.${address()}`;
    expect(await send({ to: refused, template: "welcome" })).toEqual(refusal(502));
    expect(await logOf(refused)).toMatchObject([{ status: "bounced" }]);
    const bare = await newProject({});
    const answer = await bare.sdk.post("/send", { to: address(), template: "welcome" });
    expect(answer).toEqual(refusal(400, "SMTP settings are not configured"));
    for (const template of ["nothing", "Welcome", "__proto__"])
      expect(await send({ to: address(), template })).toEqual(refusal(404, "template not found"));
  });

  it("sends once per Idempotency-Key and answers 409 to a different request with the same key", async () => {
    const to = address();
    const headers = { "Idempotency-Key": unique("key") };
    const first = await send({ to, template: "welcome" }, headers);
    const again = await send({ to, template: "welcome" }, headers);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await receivedMessages(to)).toHaveLength(1);
    expect(await send({ to, template: "credentials" }, headers)).toEqual(refusal(409));
  });

  it("accepts email and to as synonyms when they hold the same address", async () => {
    const to = address();
    const both = { email: to, to: ` ${to.toUpperCase()}`, template: "welcome" };
    expect((await neighbour.sdk.post("/send", both)).status).toBe(200);
    const differ = { email: to, to: address(), template: "welcome" };
    expect(await neighbour.sdk.post("/send", differ)).toEqual(refusal(400));
    expect(await receivedMessages(to)).toHaveLength(1);
  });

  const to = "someone@any.test";
  it.each([
    [{ template: "welcome" }, "missing required field: email or to"],
    [{ to }, "missing required field: template or html"],
    [{ to, template: "", html: null }, "missing required field: template or html"],
    [{ to, template: "welcome", html: "<p>x</p>", subject: "s" }, /give either template or html/],
    [{ to: "nobody", template: "welcome" }, /^to: /],
    [{ to, template: "welcome", data: [] }, /^data: /],
    [{ to, template: "welcome", subject: "a\r\nBcc: b@c.test" }, /^subject: /],
    [{ to, html: "{{#if}}", subject: "s" }, /^html: /],
    [{ to, html: "x", subject: "{{" }, /^subject: /],
    [{ to, template: "welcome", subject: "{{#if" }, /^subject: /],
  ])("answers 400 to %j", async (body, error) => {
    const words = typeof error === "string" ? error : expect.stringMatching(error);
    expect(await neighbour.sdk.post("/send", body)).toEqual(refusal(400, words));
  });
});
