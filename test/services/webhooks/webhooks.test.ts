import { env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { forgetOldDeliveries, MAX_WEBHOOKS } from "../../../src/services/webhooks/index.ts";
import { testLicense } from "../../support/license.ts";
import { createService, unique } from "../../support/service.ts";
import { DAY, SECOND } from "../../support/times.ts";
import {
  auditsOf,
  createDispatching,
  verifySignature,
  type Delivery,
  type Webhook,
} from "../../support/webhooks/dispatching.ts";
import { endpoint, received, release, waitForRequests } from "../../support/webhooks/received.ts";

const EVERY_FIVE_MINUTES = "*/5 * * * *";
const URL_OF_ANN = "https://ann.example.com/hooks?key=tell-nobody";

const { service, clock, takeWakes, newProject, dispatch, sweep } = createDispatching({
  DEPLOYMENT_MODE: "self_hosted",
});
const owner = await service.newOwner();

const rowsOf = async (id: string) => {
  const count = (table: string) =>
    env.DB.prepare(`select count(*) as n from ${table} where webhook_id = ?`)
      .bind(id)
      .first<number>("n");
  return { deliveries: await count("webhook_deliveries"), purges: await count("webhook_purges") };
};

describe("POST /projects/{id}/webhooks", async () => {
  const project = await newProject(owner);
  const create = (body: unknown) => owner.post<Webhook>(project.path, body);

  it("answers 201 with a secret of 64 hexadecimal digits that D1 stores encrypted", async () => {
    const { status, body } = await create({ url: URL_OF_ANN, events: ["email.sent"] });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: URL_OF_ANN,
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      events: ["email.sent"],
      active: true,
      format: "postrider",
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const row = await env.DB.prepare("select * from webhooks where id = ?").bind(body.id).first();
    expect(row?.["secret_sealed"]).toMatch(/^v1\./);
    expect(JSON.stringify(row)).not.toContain(body.secret);
    const [entry] = await auditsOf(body.id);
    expect(entry).toMatchObject({ action: "webhook.create", scope_id: project.id });
    expect(JSON.parse(entry?.metadata ?? "")).toEqual({ host: "ann.example.com" });
  });

  it("subscribes to all events when none are given, and to each event once", async () => {
    const url = URL_OF_ANN;
    expect((await create({ url })).body.events).toEqual([]);
    expect((await create({ url, events: [] })).body.events).toEqual([]);
    expect((await create({ url, events: null })).body.events).toEqual([]);
    const events = ["email.clicked", "email.opened", "email.clicked"];
    expect((await create({ url, events })).body.events).toEqual(["email.clicked", "email.opened"]);
  });

  it.each(["broadcast.resumed", "webhook.test", "email.*", "EMAIL.SENT", 7, null])(
    "answers 400 to the event %s and lists the allowed ones",
    async (event) => {
      const events = ["email.sent", event];
      const { status, body } = await owner.post(project.path, { url: URL_OF_ANN, events });
      expect(status).toBe(400);
      expect(body["error"]).toContain("events.1: must be one of email.sent, email.failed");
      expect(body["error"]).toContain("subscriber.unsubscribed");
    },
  );

  it.each([
    undefined,
    7,
    "",
    "hooks",
    "//example.com/x",
    "http:example.com",
    "http:/example.com",
    "http:///example.com",
    "ftp://example.com/",
    "javascript:alert(1)",
    "https://",
    "https://exa mple.com/",
    "https://user:pass@example.com/",
    "https://user@example.com/",
    "https://example.com/\r\nX-Evil: 1",
    `https://example.com/${"x".repeat(2_048)}`,
  ])("answers 400 to the URL %j", async (url) => {
    const { status, body } = await owner.post(project.path, { url });
    expect(status).toBe(400);
    expect(body["error"]).toMatch(/^url/);
  });

  it("accepts a URL of 2,048 characters", async () => {
    const url = "https://example.com/".padEnd(2_048, "x");
    expect((await create({ url })).body.url).toBe(url);
  });

  it("answers 409 beyond 20 webhooks of a project, even to simultaneous requests", async () => {
    const { path } = await newProject(owner);
    const answers = await Promise.all(
      Array.from({ length: MAX_WEBHOOKS + 3 }, () => owner.post(path, { url: URL_OF_ANN })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    const { body } = await owner.get<{ webhooks: Webhook[] }>(path);
    expect(body.webhooks).toHaveLength(20);
    const written = await Promise.all(body.webhooks.map(({ id }) => auditsOf(id)));
    expect(written.flat()).toHaveLength(20);
  });
});

describe("private targets", async () => {
  const strict = createDispatching({ ALLOW_PRIVATE_TARGETS: "false" });
  const project = await strict.newProject();

  it.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://0/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::10.0.0.1]/",
    "http://[fd00::1]/",
    "http://[fe80::1]/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://api.localhost/",
    "http://metadata.google.internal/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.8:8080/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://router/",
    "http://printer.local/",
    "http://１２７.０.０.１/",
  ])("are rejected on creation: %s", async (url) => {
    const { status, body } = await project.owner.post(project.path, { url });
    expect(status).toBe(400);
    expect(body["details"]).toMatchObject([{ path: "url", code: "not_allowed" }]);
  });

  it("are rejected on delivery if the webhook was created while they were allowed", async () => {
    const own = await newProject(owner);
    const hook = await own.newWebhook();
    await hook.emit();
    expect(await strict.dispatch([hook.id])).toEqual(["done"]);
    const [delivery] = await hook.deliveries();
    expect(delivery).toMatchObject({
      status: "pending",
      attempts: 1,
      last_error: "the URL is not allowed: the host is not a public address",
    });
    expect(delivery).not.toHaveProperty("last_status_code");
    expect((await received(hook.name)).requests).toEqual([]);
  });
});

describe("a webhook", async () => {
  const project = await newProject(owner);

  it("is shown without its secret, newest first", async () => {
    const { path } = await newProject(owner);
    const made: Webhook[] = [];
    for (let n = 0; n < 3; n += 1)
      made.push((await owner.post<Webhook>(path, { url: `${URL_OF_ANN}${n}` })).body);
    const hidden = made.map((webhook) => ({ ...webhook, secret: "" }));
    const list = await owner.get(path);
    expect([list.status, list.body]).toEqual([200, { webhooks: hidden.toReversed() }]);
    const part = await owner.get(`${path}?limit=1&offset=1`);
    expect([part.status, part.body]).toEqual([200, { webhooks: [hidden[1]] }]);
    expect((await owner.get(`${path}?offset=2`)).body).toEqual({ webhooks: [hidden[0]] });
    for (const query of ["limit=0", "limit=abc", "offset=-1"])
      expect((await owner.get(`${path}?${query}`)).status).toBe(400);
    const one = await owner.get(`${path}/${made[1]?.id}`);
    expect([one.status, one.body]).toEqual([200, hidden[1]]);
  });

  it.each(["member", "viewer"])("shows a %s only the origin of its URL", async (role) => {
    const { id, path } = await newProject(owner);
    const { body } = await owner.post<Webhook>(path, { url: URL_OF_ANN });
    const reader = await service.newOwner();
    await env.DB.prepare(
      "insert into workspace_members (workspace_id, user_id, role, joined_at) select p.workspace_id, u.id, ?, 0 from projects p, users u where p.id = ? and u.email = ?",
    )
      .bind(role, id, reader.email)
      .run();
    const shown = { ...body, secret: "", url: "https://ann.example.com" };
    expect((await reader.get(path)).body).toEqual({ webhooks: [shown] });
    expect((await reader.get(`${path}/${body.id}`)).body).toEqual(shown);
  });

  it("is paused and resumed by PATCH, with an audit entry for each real change", async () => {
    const hook = await project.newWebhook();
    for (const active of [false, false, true, true]) {
      const { status, body } = await hook.setActive(active);
      expect([status, body]).toMatchObject([200, { id: hook.id, active, secret: "" }]);
    }
    const entries = await auditsOf(hook.id);
    expect(entries.map(({ action, metadata }) => [action, JSON.parse(metadata)])).toEqual([
      ["webhook.create", { host: expect.stringContaining("127.0.0.1") }],
      ["webhook.update", { active: false }],
      ["webhook.update", { active: true }],
    ]);
  });

  it.each([
    {},
    { active: "false" },
    { active: null },
    { active: false, secret: "mine" },
    { active: false, url: "ftp://example.com/" },
    { url: "https://user:pass@exa mple.com/" },
    { events: ["webhook.test"] },
    { events: null },
  ])("answers 400 to PATCH with %j and stays unchanged", async (body) => {
    const hook = await project.newWebhook();
    const answer = await owner.request("PATCH", hook.path, body);
    expect(answer.status).toBe(400);
    expect((await owner.get(hook.path)).body).toMatchObject({ active: true, url: hook.url });
  });

  it("changes its URL and events, keeps its secret, and sends waiting deliveries to the new URL", async () => {
    const hook = await project.newWebhook();
    await hook.emit();
    const name = unique("moved");
    const events = ["email.sent", "email.sent"];
    const change = { url: endpoint(`ok/${name}`, 1), events };
    const { status, body } = await owner.request("PATCH", hook.path, change);
    expect([status, body]).toMatchObject([
      200,
      { id: hook.id, url: change.url, events: ["email.sent"], active: true, secret: "" },
    ]);
    expect((await owner.request("PATCH", hook.path, change)).body).toEqual(body);
    await hook.dispatch();
    const [request = { headers: {}, body: "" }] = await waitForRequests(name, 1);
    expect((await verifySignature(hook.secret, request)).isValid).toBe(true);
    const [, entry, ...more] = await auditsOf(hook.id);
    const host = new URL(change.url).host;
    expect(JSON.parse(entry?.metadata ?? "")).toEqual({ host, events: ["email.sent"] });
    expect(more).toEqual([]);
  });

  it("shows one delivery with the payload that its attempts send, and without a response before the first", async () => {
    const hook = await project.newWebhook();
    const [delivery] = await hook.emit();
    const at = `${hook.path}/deliveries/${delivery?.id}`;
    const { body } = await owner.get(at);
    expect(body).toEqual({
      ...delivery,
      payload: expect.objectContaining({ type: "webhook.test", project_id: project.id }),
      answer: null,
    });
    const stranger = await service.newOwner();
    const mine = await (await newProject(stranger)).newWebhook();
    const [hookPath] = [mine.path];
    expect((await stranger.get(`${hookPath}/deliveries/${delivery?.id}`)).status).toBe(404);
    expect((await owner.get(`${hook.path}/deliveries/${crypto.randomUUID()}`)).status).toBe(404);
  });

  it("is deleted once, with its history and one audit entry that names its host", async () => {
    const hook = await project.newWebhook();
    await hook.emit(3);
    expect((await owner.delete(hook.path)).status).toBe(204);
    for (const request of [owner.get(hook.path), owner.delete(hook.path), hook.setActive(true)])
      expect(await request).toMatchObject({ status: 404, body: { error: "webhook not found" } });
    expect((await owner.get(`${hook.path}/deliveries`)).status).toBe(404);
    expect(await rowsOf(hook.id)).toEqual({ deliveries: 0, purges: 0 });
    const entries = await auditsOf(hook.id);
    expect(entries.map(({ action }) => action)).toEqual(["webhook.create", "webhook.delete"]);
    const host = expect.stringMatching(/^127\.0\.0\.1:\d+$/);
    expect(JSON.parse(entries[1]?.metadata ?? "")).toEqual({ host });
  });

  it("of another tenant is 404 on every path and stays unchanged", async () => {
    const hook = await project.newWebhook();
    const [delivery] = await hook.emit();
    const stranger = await service.newOwner();
    const mine = await newProject(stranger);
    const own = await mine.newWebhook();
    const base = `${mine.path}/${hook.id}`;
    const tries: [string, string, unknown?][] = [
      ["GET", base],
      ["PATCH", base, { active: false }],
      ["DELETE", base],
      ["GET", `${base}/deliveries`],
      ["POST", `${base}/test`],
      ["POST", `${base}/deliveries/${delivery?.id}/replay`],
      ["POST", `${mine.path}/${own.id}/deliveries/${delivery?.id}/replay`],
    ];
    for (const [method, path, body] of tries)
      expect((await stranger.request(method, path, body)).status).toBe(404);
    expect((await owner.get(hook.path)).body).toMatchObject({ active: true });
    expect(await hook.deliveries()).toEqual([delivery]);
    expect(await own.deliveries()).toEqual([]);
    expect((await auditsOf(hook.id)).map(({ action }) => action)).toEqual(["webhook.create"]);
  });

  it("is 402 on every path without a license, after 401 and before 404", async () => {
    const hook = await project.newWebhook();
    const unlicensed = createService();
    const member = await unlicensed.newOwner();
    const own = await member.newProject();
    const expired = createService(await testLicense("pro", { exp: 1_700_000_001 }));
    const cookie = { Cookie: owner.cookie };
    const paths: [string, string][] = [
      ["POST", ""],
      ["GET", ""],
      ["GET", `/${hook.id}`],
      ["PATCH", `/${hook.id}`],
      ["DELETE", `/${hook.id}`],
      ["GET", `/${hook.id}/deliveries`],
      ["POST", `/${hook.id}/test`],
      ["POST", `/${hook.id}/deliveries/${hook.id}/replay`],
    ];
    const refused = { status: 402, body: { error: "license required for webhooks" } };
    for (const [method, path] of paths) {
      for (const id of [own.id, crypto.randomUUID()]) {
        const answer = await member.request(method, `/projects/${id}/webhooks${path}`);
        expect(answer).toMatchObject(refused);
      }
      const full = `${project.path}${path}`;
      const late = await expired.anonymous.request(method, full, undefined, cookie);
      expect(late).toMatchObject(refused);
      expect((await unlicensed.anonymous.request(method, full)).status).toBe(401);
    }
    expect(await hook.deliveries()).toEqual([]);
  });

  it("costs two round trips to create, to list its deliveries, to test and to delete", async () => {
    const hook = await project.newWebhook();
    const trips = async (request: () => Promise<unknown>) => {
      service.d1.reset();
      await request();
      return service.d1.roundTrips;
    };
    expect(await trips(() => owner.post(project.path, { url: URL_OF_ANN }))).toBe(2);
    expect(await trips(() => hook.deliveries())).toBe(2);
    expect(await trips(() => hook.emit())).toBe(2);
    expect(await trips(() => owner.delete(hook.path))).toBe(2);
  });
});

describe("GET …/deliveries", async () => {
  const project = await newProject(owner);

  it("lists newest first from an offset, 50 deliveries by default and 200 at most", async () => {
    const hook = await project.newWebhook();
    const [first] = await hook.emit();
    await hook.addCopies(205, sql`null`); // ids above all others
    const list = async (query: string) =>
      (await owner.get<{ deliveries: Delivery[] }>(`${hook.path}/deliveries${query}`)).body
        .deliveries;
    const all = [...(await list("?limit=200")), ...(await list("?limit=200&offset=200"))];
    expect(all).toHaveLength(206);
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(all.at(-1)).toEqual(first);
    expect(await list("")).toEqual(all.slice(0, 50));
    expect(await list("?limit=1000")).toHaveLength(200);
    expect(await list("?limit=3&offset=204")).toEqual(all.slice(204));
    expect((await owner.get(`${hook.path}/deliveries?limit=1`)).body).toMatchObject({ total: 206 });
    for (const query of ["?limit=0", "?limit=x", "?offset=-1"])
      expect((await owner.get(`${hook.path}/deliveries${query}`)).status).toBe(400);
  });
});

describe("test and replay", async () => {
  const project = await newProject(owner);

  it("reach the endpoint through the real queue", async () => {
    const live = createService(await testLicense("pro"));
    const member = await live.newOwner();
    const { id } = await member.newProject();
    const name = unique("live");
    const url = endpoint(`ok/${name}`);
    const { body } = await member.post<Webhook>(`/projects/${id}/webhooks`, { url });
    const answer = await member.post(`/projects/${id}/webhooks/${body.id}/test`);
    expect(answer.status).toBe(202);
    const [request = { headers: {}, body: "" }] = await waitForRequests(name, 1);
    expect((await verifySignature(body.secret, request)).isValid).toBe(true);
  });

  it("send a test to this webhook only, regardless of its events", async () => {
    const [hook, other] = [await project.newWebhook(), await project.newWebhook()];
    await env.DB.prepare("update webhooks set events = '[\"email.sent\"]' where id = ?")
      .bind(hook.id)
      .run();
    const { status, body } = await owner.post<Delivery>(`${hook.path}/test`);
    expect(status).toBe(202);
    expect(body).toEqual((await hook.deliveries())[0]);
    expect(body).toMatchObject({ event_type: "webhook.test", status: "pending", attempts: 0 });
    expect(body.next_attempt_at).toBe(body.created_at);
    expect(await other.deliveries()).toEqual([]);
    expect(takeWakes(hook.id)).toEqual([0]);
  });

  it("replay the same event as a new delivery", async () => {
    const hook = await project.newWebhook();
    const [first] = await hook.emit();
    await hook.dispatch();
    const path = `${hook.path}/deliveries/${first?.id}/replay`;
    const { status, body } = await owner.post<Delivery>(path);
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: "pending", attempts: 0, event_type: "webhook.test" });
    expect(body.id).not.toBe(first?.id);
    await hook.dispatch();
    const [one, two] = (await received(hook.name)).requests;
    expect(two?.body).toBe(one?.body);
    const ids = [one, two].map((request) => request?.headers["x-service-delivery"]);
    expect(ids).toEqual([first?.id, body.id]);
    const statuses = (await hook.deliveries()).map((delivery) => delivery.status);
    expect(statuses).toEqual(["delivered", "delivered"]);
  });

  it("answer 409 while the webhook is paused, and 404 to an unknown delivery", async () => {
    const hook = await project.newWebhook();
    const [first] = await hook.emit();
    const replay = (id = "") => owner.post(`${hook.path}/deliveries/${id}/replay`);
    const missing = { status: 404, body: { error: "delivery not found" } };
    expect(await replay(crypto.randomUUID())).toMatchObject(missing);
    await hook.setActive(false);
    expect(await replay(crypto.randomUUID())).toMatchObject(missing);
    for (const answer of [await replay(first?.id), await owner.post(`${hook.path}/test`)])
      expect(answer).toMatchObject({ status: 409, body: { code: "webhook_paused" } });
    expect(await hook.deliveries()).toHaveLength(1);
  });
});

describe("a paused webhook", async () => {
  const project = await newProject(owner);

  it("fails its pending deliveries, including those due later, and receives no events", async () => {
    const hook = await project.newWebhook("status/500");
    await hook.emit();
    await hook.dispatch();
    await hook.emit();
    takeWakes(hook.id);
    await hook.setActive(false);
    expect(takeWakes(hook.id)).toEqual([0]);
    expect(await hook.dispatch()).toBe("idle");
    const deliveries = await hook.deliveries();
    expect(deliveries.map(({ status, attempts }) => [status, attempts])).toEqual([
      ["failed", 0],
      ["failed", 1],
    ]);
    expect(deliveries[0]?.last_error).toBe("the webhook is paused");
    expect((await received(hook.name)).requests).toHaveLength(1);
    await hook.setActive(true);
    expect(await hook.dispatch()).toBe("idle");
    await hook.emit();
    await hook.dispatch();
    expect((await received(hook.name)).requests).toHaveLength(2);
  });

  it("records the deliveries in flight and fails the rest", async () => {
    const hook = await project.newWebhook("hold");
    await hook.emit(7);
    const run = hook.dispatch();
    await waitForRequests(hook.name, 5);
    await hook.setActive(false);
    takeWakes(hook.id);
    await release(hook.name);
    await run;
    expect(takeWakes(hook.id)).toEqual([0]);
    expect(await hook.dispatch()).toBe("idle");
    const statuses = (await hook.deliveries()).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(5).fill("delivered"), "failed", "failed"]);
    expect((await received(hook.name)).requests).toHaveLength(5);
  });

  it("is emptied in bounded steps, and no delivery is attempted between them", async () => {
    const hook = await project.newWebhook();
    await hook.emit();
    await hook.addCopies(1_200, sql`due_at`);
    await hook.setActive(false);
    takeWakes(hook.id);
    expect(await hook.dispatch()).toBe("idle");
    expect(takeWakes(hook.id)).toEqual([0]); // the first 1,000 have failed
    expect(await hook.dispatch()).toBe("idle");
    const counts = await env.DB.prepare(
      "select status, count(*) as n from webhook_deliveries where webhook_id = ? group by status",
    )
      .bind(hook.id)
      .all();
    expect(counts.results).toEqual([{ status: "failed", n: 1_201 }]);
    expect((await received(hook.name)).requests).toEqual([]);
  });
});

describe("a deleted webhook", async () => {
  const project = await newProject(owner);

  it("records none of its deliveries in flight and breaks nothing", async () => {
    const hook = await project.newWebhook("hold");
    await hook.emit(6);
    const run = hook.dispatch();
    await waitForRequests(hook.name, 5);
    expect((await owner.delete(hook.path)).status).toBe(204);
    await release(hook.name);
    expect(await run).toBe("done");
    expect(await hook.dispatch()).toBe("idle");
    expect(await rowsOf(hook.id)).toEqual({ deliveries: 0, purges: 0 });
    expect((await received(hook.name)).requests).toHaveLength(5);
  });

  it("loses a long history step by step, even if its project is deleted in the meantime", async () => {
    const own = await newProject(owner);
    const hook = await own.newWebhook();
    await hook.emit();
    await hook.addCopies(1_200, sql`due_at`);
    takeWakes(hook.id);
    expect((await owner.delete(hook.path)).status).toBe(204);
    expect(await rowsOf(hook.id)).toEqual({ deliveries: 701, purges: 1 });
    expect((await owner.delete(`/projects/${own.id}`)).status).toBe(204);
    await sweep();
    expect(takeWakes(hook.id)).toEqual([]);
    expect(await rowsOf(hook.id)).toEqual({ deliveries: 0, purges: 0 });
  });
});

describe("retention", () => {
  it("removes old finished deliveries in steps and keeps the rest", async () => {
    const own = await newProject(owner);
    const [one, two] = [await own.newWebhook("ok", 0), await own.newWebhook("status/500", 1)];
    const age = (await service.deps()).config.logRetentionDays * DAY + SECOND;
    expect(age).toBeGreaterThan(DAY);
    clock.aheadMs -= age;
    await one.emit(2);
    await two.emit(2);
    clock.aheadMs += age;
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1100)
        insert into webhook_deliveries select webhook_id, id || i, project_id, event_id, event_type, payload,
          'delivered', 1, 200, null, null, created_at, created_at, null
        from webhook_deliveries, n where webhook_id = ?`,
    )
      .bind(one.id)
      .run();
    await dispatch([one.id, two.id]);
    await one.emit();
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    await forgetOldDeliveries(await service.deps(), 1);
    expect(warned.mock.calls).toEqual([
      [JSON.stringify({ level: "warn", event: "old_deliveries_left", steps: 1 })],
    ]);
    await runScheduled(await service.deps(), EVERY_FIVE_MINUTES);
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
    expect((await one.deliveries()).map(({ status }) => status)).toEqual(["pending"]);
    expect((await two.deliveries()).map(({ status }) => status)).toEqual(["pending", "pending"]);
  });
});
