/* The typed client (docs/api-client.md) and the example that uses it, against the real service. */
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  createClient,
  PostriderError,
  verifyWebhook,
  type Client,
  type KeyClient,
  type TokenClient,
} from "../../client/src/index.ts";
import { OPERATIONS } from "../../client/src/operations.ts";
import { receiveWebhook, sendReceipt, subscribedAddresses } from "../../examples/receipts.ts";
import { ALL_ROUTES } from "../../src/http/routes.ts";
import { seal } from "../../src/lib/seal.ts";
import { openSigner, secretContext } from "../../src/services/webhooks/sign.ts";
import { receivedMessages } from "../support/mailbox.ts";
import { CAPTURING, createService, unique, type Client as Owner } from "../support/service.ts";
import { eventually } from "../support/times.ts";

const service = createService();
const baseUrl = String(service.env.BASE_URL);
const QUICK = { maxWaitSeconds: 2 };

/** Requests of a client, and what it gets in place of an answer of the service. */
let asked: { method: string; path: string; headers: Headers }[] = [];
let instead: ((() => Response | Promise<Response>) | undefined)[] = [];

const through: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  asked.push({ method: request.method, path: pathname + search, headers: request.headers });
  const other = instead.shift();
  if (other) return other();
  return service.fetch(pathname + search, init);
};

let owner: Owner;
let project: { id: string; key: string };
let byKey: KeyClient;
let byToken: TokenClient;
let byCookie: Client;
let projectId: string;

beforeAll(async () => {
  owner = await service.newOwner();
  project = await owner.newProject(CAPTURING);
  projectId = project.id;
  byKey = createClient({ baseUrl, key: project.key, fetch: through, ...QUICK });
  const made = await owner.post("/auth/tokens", { name: "client", project_ids: [projectId] });
  byToken = createClient({ baseUrl, token: String(made.body["token"]), fetch: through, ...QUICK });
  const withCookie: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("Cookie", owner.cookie);
    return through(input, { ...init, headers });
  };
  byCookie = createClient({ baseUrl: `${baseUrl}/`, fetch: withCookie, ...QUICK });
  asked = [];
});

const start = () => {
  asked = [];
  instead = [];
};
const mail = () => ({
  to: `${unique("client")}@any.test`,
  subject: "Hello",
  html_body: "<p>Hi</p>",
});
const failure = async (work: Promise<unknown>) => {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (error instanceof PostriderError) return error;
  throw new Error(`no error of the client: ${String(error)}`);
};
const refuse =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ error: "not now" }, { status, headers });

describe("the client", () => {
  it("has a call for every route but those of pages, mails, providers and files", () => {
    const routes = ALL_ROUTES.map(({ operation }) => operation);
    const others = ["projects.export", "projects.import", "projects.images.upload"];
    const isOther = (name: string) =>
      /^bounces\.report|^projects\.(?:broadcasts\.page|templates\.page|forms\.preview)$/.test(
        name,
      ) || others.includes(name);
    const expected = routes.filter((name) => !isOther(name));
    expect(Object.keys(OPERATIONS).toSorted()).toEqual([...expected, "service.health"].toSorted());
  });

  it("creates, reads, changes and deletes with the paths and bodies of the API", async () => {
    const { templates } = byCookie.projects;
    const body = { name: unique("t"), subject: "Hi", html_body: "<p>Hi</p>" };
    const made = await templates.create({ projectId, body });
    expect(made).toMatchObject({ ...body, project_id: projectId });
    const templateId = made.id;
    let etag = "";
    const onResponse = ({ headers }: Response) => (etag = headers.get("ETag") ?? "");
    expect(await templates.get({ projectId, templateId }, { onResponse })).toEqual(made);
    await templates.update({ projectId, templateId, body: { subject: "A" } }, { ifMatch: etag });
    const change = templates.update(
      { projectId, templateId, body: { subject: "B" } },
      { ifMatch: etag },
    );
    expect(await failure(change)).toMatchObject({ status: 412, code: "precondition_failed" });
    expect(await templates.delete({ projectId, templateId })).toBeUndefined();
  });

  it("makes with an access token the calls that a key cannot make", async () => {
    const { logs, templates } = byToken.projects;
    expect(await logs.list({ projectId, status: "failed" })).toMatchObject({ total: 0 });
    const body = { name: unique("t"), subject: "Hi", html_body: "<p>Hi</p>" };
    expect(await templates.create({ projectId, body })).toMatchObject(body);
    // @ts-expect-error an access token has no such call
    const error = await failure(byToken.auth.sessions.list());
    expect(error).toMatchObject({ code: "wrong_key_type", status: 401 });
  });

  it("unwraps the answers of the key-based API, and takes calls without arguments", async () => {
    const made = await owner.post(`/projects/${projectId}/api-keys`, { name: "s", type: "sdk" });
    const keyed = createClient({ baseUrl, key: String(made.body["key"]), fetch: through });
    const email = `${unique("joined")}@any.test`;
    expect(await keyed.keyed.join({ body: { email } })).toEqual({ email, message: "subscribed" });
    expect((await byCookie.auth.me()).user.email).toBe(owner.email);
    expect(await byCookie.service.version()).toMatchObject({ name: "postrider" });
  });

  it("throws the error of a refusal with its code, status and body", async () => {
    // @ts-expect-error a key has no such call
    const error = await failure(byKey.projects.get({ projectId }));
    expect(error).toMatchObject({ name: "PostriderError", code: "wrong_key_type", status: 401 });
    expect(error.message).toContain("needs an access token (pat_) or a login session");
    const body = { name: "", subject: "\n", html_body: "" };
    const invalid = await failure(byCookie.projects.templates.create({ projectId, body }));
    expect(invalid).toMatchObject({ code: "invalid_request", body: { details: [{}, {}] } });
  });

  it("never leaves the path of a call, whatever an id holds", async () => {
    start();
    const { templates } = byCookie.projects;
    for (const templateId of ["", ".", ".."])
      expect(await failure(templates.delete({ projectId, templateId }))).toMatchObject({
        code: "invalid_call",
      });
    expect(asked).toEqual([]);
    for (const templateId of ["../..", "a/b", "?x=1", "%2e%2e"])
      expect((await failure(templates.delete({ projectId, templateId }))).status).toBe(400);
    const begin = `/api/v1/projects/${projectId}/templates/`;
    for (const { path } of asked) expect(path.startsWith(begin)).toBe(true);
  });
});

describe("a repetition by the client", () => {
  it("sends a mail once although its answer was lost, because all attempts have one key", async () => {
    start();
    const body = mail();
    instead = [
      async () => {
        const headers = Object.fromEntries(asked[0]?.headers ?? []);
        const init = { method: "POST", headers, body: JSON.stringify(body) };
        await service.fetch(`/api/v1/projects/${projectId}/send`, init);
        throw new TypeError("connection lost");
      },
    ];
    expect(await byKey.projects.send({ projectId, body })).toMatchObject({ message: "sent" });
    expect(new Set(asked.map(({ headers }) => headers.get("Idempotency-Key"))).size).toBe(1);
    expect(asked).toHaveLength(2);
    expect(await receivedMessages(body.to)).toHaveLength(1);
  });

  it("happens after an answer that breaks off, or is a page of something in between, as after none", async () => {
    const cut = (status: number) => () => {
      const broken = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"id": "'));
          controller.error(new TypeError("connection lost"));
        },
      });
      return new Response(broken, { status });
    };
    const page = () => new Response("<h1>Sign in to the network</h1>");
    for (const fault of [cut(200), page]) {
      start();
      instead = [fault];
      await byKey.projects.subscribers.list({ projectId });
      expect(asked).toHaveLength(2);
      instead = [fault];
      const write = byKey.projects.bounceSettings.save({ projectId, body: {} });
      expect(await failure(write)).toMatchObject({ code: "network", status: 0 });
    }
    instead = [cut(404)];
    expect(await failure(byCookie.projects.get({ projectId }))).toMatchObject({ status: 404 });
  });

  it("happens twice at most for reads, after 429, 500, 503 and a lost connection", async () => {
    for (const fault of [
      refuse(429),
      refuse(500),
      refuse(503),
      () => Promise.reject(new TypeError("lost")),
    ]) {
      start();
      instead = [fault, undefined];
      await byKey.projects.subscribers.list({ projectId });
      expect(asked).toHaveLength(2);
    }
    start();
    instead = [refuse(503), refuse(503), refuse(503), refuse(503)];
    const error = await failure(byKey.projects.subscribers.list({ projectId }));
    expect([error.code, asked.length]).toEqual(["unavailable", 3]);
  });

  it("never happens for a write without a key of its own, except after 429", async () => {
    const body = { soft_bounce_limit: 5 };
    const write = () => byKey.projects.bounceSettings.save({ projectId, body });
    for (const fault of [refuse(500), refuse(503), () => Promise.reject(new TypeError("lost"))]) {
      start();
      instead = [fault];
      await failure(write());
      expect(asked).toHaveLength(1);
    }
    start();
    instead = [refuse(429)];
    await write();
    expect(asked).toHaveLength(2);
  });

  it("never happens for an answer that another attempt would get again", async () => {
    for (const status of [400, 404, 409, 422, 502]) {
      start();
      instead = [refuse(status)];
      expect((await failure(byKey.projects.send({ projectId, body: mail() }))).status).toBe(status);
      expect(asked).toHaveLength(1);
    }
  });

  it("waits as long as Retry-After says, unless that is too long", async () => {
    start();
    instead = [refuse(429, { "Retry-After": "1" })];
    const begin = Date.now();
    await byKey.projects.subscribers.list({ projectId });
    expect(Date.now() - begin).toBeGreaterThanOrEqual(1000);
    start();
    instead = [refuse(429, { "Retry-After": "60" })];
    const error = await failure(byKey.projects.subscribers.list({ projectId }));
    expect([error.retryAfter, asked.length]).toEqual([60, 1]);
  });

  it("ends at once when the caller gives up", async () => {
    start();
    const giving = new AbortController();
    instead = [refuse(429, { "Retry-After": "2" })];
    const work = byKey.projects.subscribers.list({ projectId }, { signal: giving.signal });
    const ended = expect(work).rejects.toThrow("enough");
    await eventually(() => expect(asked).toHaveLength(1));
    giving.abort(new Error("enough"));
    await ended;
    expect(asked).toHaveLength(1);
  });
});

describe("a list of the client", () => {
  it("is read to its end by cursor, each entry once", async () => {
    const { id } = await owner.newProject();
    const rows = Array.from({ length: 25 }, (_, n) => ({ email: `${n}@any.test` }));
    const clients = createClient({ baseUrl, fetch: through });
    const add = owner.post(`/projects/${id}/suppressions`, { emails: rows.map((r) => r.email) });
    expect((await add).status).toBe(200);
    start();
    const list = byCookie.projects.suppressions.list.all({ projectId: id, limit: 10 });
    const emails: string[] = [];
    for await (const { email } of list) emails.push(email);
    expect(emails.toSorted()).toEqual(rows.map((r) => r.email).toSorted());
    expect(asked).toHaveLength(3);
    const refused = clients.projects.suppressions.list.all({ projectId: id });
    expect(await failure(refused.next())).toMatchObject({ code: "authentication_required" });
  });
});

describe("verifyWebhook", () => {
  const secret = "0f".repeat(32);
  const body = JSON.stringify({ id: "e", type: "email.bounced", data: { to: "ann@any.test" } });
  const atMs = Date.UTC(2026, 10, 22);
  let signature: string;
  /** The headers of Standard Webhooks, and all headers. */
  let standard: Record<string, string>;
  let all: Record<string, string>;

  beforeAll(async () => {
    const deps = await service.deps();
    const sealed = await seal(deps.config.sealingKeys, secret, secretContext("hook"));
    all = await (await openSigner(deps, "hook", sealed))({ id: "e", body }, atMs);
    ({ "X-Service-Signature": signature = "", ...standard } = all);
  });

  it("returns the event that the service signed, for 300 seconds before and after", async () => {
    const ways = () => [{ signature }, { headers: standard }, { headers: new Headers(all) }];
    for (const way of ways())
      for (const off of [-300, 0, 300])
        expect(
          await verifyWebhook({ body, ...way, secret, now: () => atMs + off * 1000 }),
        ).toMatchObject({ type: "email.bounced" });
    for (const way of ways())
      for (const off of [-301, 301])
        expect(
          await failure(verifyWebhook({ body, ...way, secret, now: () => atMs + off * 1000 })),
        ).toMatchObject({ code: "invalid_webhook" });
  });

  it("takes headers of a webhook with X-Service-Signature alone, and a prefix of the secret", async () => {
    const now = () => atMs;
    const own = new Headers({ "X-Service-Signature": signature });
    expect(await verifyWebhook({ body, headers: own, secret, now })).toMatchObject({ id: "e" });
    const prefixed = { body, headers: standard, secret: `whsec_${secret}`, now };
    expect(await verifyWebhook(prefixed)).toMatchObject({ id: "e" });
  });

  it("refuses another body, secret, time or form", async () => {
    const good = { body, signature, secret, now: () => atMs };
    const time = Math.floor(atMs / 1000);
    const mac = standard["webhook-signature"] ?? "";
    const headers = (change: Record<string, string>) => ({
      body,
      headers: { ...all, "x-service-signature": signature, ...standard, ...change },
      secret,
      now: () => atMs,
    });
    for (const change of [
      { ...good, body: `${body} ` },
      { ...good, secret: `${secret}x` },
      { ...good, signature: signature.replace(`t=${time}`, `t=${time + 1}`) },
      { ...good, signature: `${signature.slice(0, -1)}${signature.endsWith("0") ? "1" : "0"}` },
      { ...good, signature: signature.slice(0, -2) },
      { ...good, signature: "" },
      { ...good, signature: null },
      { ...headers({}), body: `${body} ` },
      { ...headers({}), secret: "f0".repeat(32) },
      { ...headers({}), secret: "no base64" },
      headers({ "webhook-id": "other" }),
      headers({ "webhook-timestamp": String(time + 1) }),
      headers({ "webhook-timestamp": "" }),
      headers({ "webhook-signature": mac.replace("v1,", "v2,") }),
      headers({ "webhook-signature": "v1,*" }),
      { ...headers({}), headers: {} },
    ])
      expect(await failure(verifyWebhook(change))).toMatchObject({ code: "invalid_webhook" });
    const rotated = headers({ "webhook-signature": `v1,AAAA v1a,x ${mac}` });
    expect(await verifyWebhook(rotated)).toMatchObject({ id: "e" });
  });

  it("serves the example: a bounce arrives, and a forged one is 400", async () => {
    const found: unknown[] = [];
    const now = vi.spyOn(Date, "now").mockReturnValue(atMs);
    const post = (headers: Record<string, string>) =>
      receiveWebhook(
        new Request("https://shop.test/hook", { method: "POST", body, headers }),
        secret,
        (to) => found.push(to),
      );
    expect((await post(all)).status).toBe(204);
    expect((await post({ ...all, "webhook-id": "f" })).status).toBe(400);
    now.mockRestore();
    expect(found).toEqual(["ann@any.test"]);
  });
});

describe("the example of the client", () => {
  it("sends a receipt once, and none to a suppressed address", async () => {
    const { to: customer } = mail();
    const order = { number: unique("order"), customer };
    const first = await sendReceipt(byKey, projectId, order);
    expect(await sendReceipt(byKey, projectId, order)).toBe(first);
    expect(await receivedMessages(customer)).toHaveLength(1);
    await owner.post(`/projects/${projectId}/suppressions`, { emails: [customer] });
    const next = { number: unique("order"), customer };
    expect(await sendReceipt(byKey, projectId, next)).toBeUndefined();
  });

  it("lists every subscriber", async () => {
    const { id, key } = await owner.newProject();
    const rows = Array.from({ length: 60 }, (_, n) => ({ email: `${n}@any.test` }));
    const client = createClient({ baseUrl, key, fetch: through });
    for (const body of rows.slice(0, 3))
      await client.projects.subscribers.create({ projectId: id, body });
    expect((await subscribedAddresses(client, id)).toSorted()).toEqual(
      rows.slice(0, 3).map(({ email }) => email),
    );
  });
});
