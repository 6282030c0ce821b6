/* `Idempotency-Key` of requests that make something (API reference §11.3). */
import { Buffer } from "node:buffer";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { ALL_ROUTES } from "../../../src/http/routes.ts";
import { systemContext } from "../../../src/context.ts";
import { sha256Hex } from "../../../src/lib/hash.ts";
import { onlyOnce } from "../../../src/services/idempotency/index.ts";
import { testLicense } from "../../support/license.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService, unique, type Client } from "../../support/service.ts";
import { TEST_SETTINGS } from "../../support/settings.ts";
import { DAY, EVERY_NIGHT, eventually, MINUTE, standingClock } from "../../support/times.ts";
import { newPerson } from "../../support/workspaces.ts";

const clock = standingClock(Date.UTC(2026, 9, 1, 12));
const queue = { send: async () => {}, sendBatch: async () => {} } as unknown as Queue<never>;
const quiet = {
  WAKE_QUEUE: queue,
  WEBHOOK_QUEUE: queue,
};
const service = createService(
  { ...quiet, ...(await testLicense("team")), DEPLOYMENT_MODE: "self_hosted" },
  { now: () => clock.now },
);
const owner = await service.newOwner();
const { body: me } = await owner.get<{ workspaces: { id: string }[] }>("/auth/me");
const workspaceId = me.workspaces[0]?.id ?? "";
const project = await owner.newProject(CAPTURING);
const path = `/projects/${project.id}`;

const keyed = () => ({ "Idempotency-Key": unique("key") });
const person = () => `${unique("person")}@people.test`;
const newId = async (at: string, body: object) => String((await owner.post(at, body)).body["id"]);

/** Things that a request makes: its path, its body, and the table whose rows it adds. */
const MADE: Record<string, () => Promise<[path: string, body: unknown, table: string]>> = {
  "projects.create": async () => ["/projects", { name: "Shop" }, "projects"],
  "auth.tokens.create": async () => ["/auth/tokens", { name: "CI" }, "sessions"],
  "workspaces.create": async () => ["/workspaces", { name: "Team" }, "workspaces"],
  "workspaces.users.create": async () => [
    `/workspaces/${workspaceId}/users`,
    { email: person(), name: "Ann", password: "correct horse" },
    "users",
  ],
  "projects.apiKeys.create": async () => [`${path}/api-keys`, { name: "Key" }, "api_keys"],
  "projects.fields.create": async () => [
    `${path}/fields`,
    { key: unique("key").replaceAll("-", "_") },
    "fields",
  ],
  "projects.forms.create": async () => [
    `${path}/forms`,
    { name: "Website", title: "News" },
    "forms",
  ],
  "projects.savedBlocks.create": async () => [
    `${path}/saved-blocks`,
    { name: "Line", block: { type: "divider" } },
    "saved_blocks",
  ],
  "projects.imports.create": async () => [`${path}/imports`, { name: "Fair" }, "imports"],
  "projects.subscribers.create": async () => [
    `${path}/subscribers`,
    { email: person() },
    "subscribers",
  ],
  "projects.templates.create": async () => [
    `${path}/templates`,
    { name: unique("t"), subject: "Hi", html_body: "x" },
    "templates",
  ],
  "projects.templates.duplicate": async () => {
    const id = await newId(`${path}/templates`, { name: unique("t"), html_body: "x" });
    return [`${path}/templates/${id}/duplicate`, {}, "templates"];
  },
  "projects.templates.versions.restore": async () => {
    const id = await newId(`${path}/templates`, { name: unique("t"), html_body: "x" });
    const at = `${path}/templates/${id}`;
    await owner.put(at, { html_body: "y" });
    const { body } = await owner.get<{ versions: { id: string }[] }>(`${at}/versions`);
    return [`${at}/versions/${body.versions[0]?.id}/restore`, undefined, "template_versions"];
  },
  "projects.templates.test": async () => {
    const id = await newId(`${path}/templates`, { name: unique("t"), html_body: "x" });
    return [`${path}/templates/${id}/test`, { to: [person()] }, "log_entries"];
  },
  "projects.broadcasts.test": async () => {
    const id = await newId(`${path}/broadcasts`, { name: "May", subject: "x", html_body: "x" });
    return [`${path}/broadcasts/${id}/test`, { to: [person()] }, "log_entries"];
  },
  "projects.bounceUrl.rotate": async () => {
    const { id } = await owner.newProject();
    return [`/projects/${id}/bounce-webhook/rotate`, undefined, "bounce_tokens"];
  },
  "projects.authHooks.rotate": async () => {
    const { id } = await owner.newProject();
    return [`/projects/${id}/auth-hooks/supabase/rotate`, undefined, "auth_hooks"];
  },
  "projects.topics.create": async () => [`${path}/topics`, { name: unique("t") }, "topics"],
  "projects.segments.create": async () => [
    `${path}/segments`,
    { name: unique("s"), where: "status:active" },
    "segments",
  ],
  "projects.broadcasts.create": async () => [
    `${path}/broadcasts`,
    { name: unique("b") },
    "broadcasts",
  ],
  "projects.automations.create": async () => [
    `${path}/automations`,
    { name: unique("a"), trigger: { type: "manual" }, steps: [] },
    "automations",
  ],
  "projects.events.record": async () => {
    const email = person();
    await owner.post(`${path}/subscribers`, { email });
    return [`${path}/events`, { name: "bought", email }, "events"];
  },
  "projects.broadcasts.duplicate": async () => {
    const id = await newId(`${path}/broadcasts`, { name: unique("b") });
    return [`${path}/broadcasts/${id}/duplicate`, {}, "broadcasts"];
  },
  "projects.broadcasts.resend": async () => {
    const given = { name: unique("b"), subject: "Hi", html_body: "x" };
    const broadcastId = await newId(`${path}/broadcasts`, given);
    const over = "update broadcasts set state = 'done', kind = 'broadcast' where id = ?";
    await allRows(over, broadcastId);
    return [`${path}/broadcasts/${broadcastId}/resend`, { to: "joined" }, "broadcasts"];
  },
  "workspaces.members.add": async () => {
    const { email } = await newPerson(service);
    return [`/workspaces/${workspaceId}/members`, { email }, "workspace_members"];
  },
  "workspaces.invitations.create": async () => {
    await owner.put("/service/mail", { project_id: project.id });
    return [`/workspaces/${workspaceId}/invitations`, { email: person() }, "workspace_invitations"];
  },
  "projects.webhooks.create": async () => [
    `${path}/webhooks`,
    { url: "https://hook.test/in" },
    "webhooks",
  ],
  "projects.webhooks.test": async () => {
    const id = await newId(`${path}/webhooks`, { url: "https://hook.test/in" });
    return [`${path}/webhooks/${id}/test`, undefined, "webhook_deliveries"];
  },
  "projects.webhooks.deliveries.replay": async () => {
    const id = await newId(`${path}/webhooks`, { url: "https://hook.test/in" });
    const at = `${path}/webhooks/${id}`;
    const delivery = await newId(`${at}/test`, {});
    return [`${at}/deliveries/${delivery}/replay`, undefined, "webhook_deliveries"];
  },
};

const countOf = async (table: string) =>
  (await allRows<{ n: number }>(`select count(*) as n from ${table}`))[0]?.n ?? 0;

describe("the routes that create something", () => {
  it("are all covered here, except those with tests of their own", () => {
    const once = ALL_ROUTES.filter((route) => "once" in route).map(({ operation }) => operation);
    // The others of the key-based API are routes of both APIs (keyed-shared.test.ts).
    const actions = ["start", "create", "duplicate", "resend"];
    const others = actions.map((action) => `keyed.broadcasts.${action}`);
    others.push("keyed.segments.create", "keyed.topics.create", "keyed.track");
    expect(once.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
      [...Object.keys(MADE), ...others].toSorted((a, b) => (a < b ? -1 : 1)),
    );
  });
});

describe.each(Object.entries(MADE))("a repeated key: %s", (_name, make) => {
  it("returns the first response, and nothing is created again", async () => {
    const [at, body, table] = await make();
    const headers = keyed();
    const before = await countOf(table);
    const first = await owner.post(at, body, headers);
    expect([200, 201, 202]).toContain(first.status);
    const again = await owner.post(at, body, headers);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(again.headers.get("ETag")).toBe(first.headers.get("ETag"));
    expect((await countOf(table)) - before).toBe(1);
    const kept = await allRows("select answer_sealed from idempotent_responses");
    for (const { answer_sealed: sealed } of kept) expect(sealed).toMatch(/^v1\./);
  });
});

describe("an Idempotency-Key", () => {
  const subscribe = (client: Client, headers: Record<string, string>, email = person()) =>
    client.post(`${path}/subscribers`, { email }, headers);

  it("with another body or path is 409, and the same key of another caller is a different key", async () => {
    const headers = keyed();
    const email = person();
    const first = await subscribe(owner, headers, email);
    const used = { error: "this Idempotency-Key was used with another request" };
    expect(await subscribe(owner, headers)).toMatchObject({ status: 409, body: used });
    const [elsewhere, same] = [keyed(), { name: unique("both") }];
    expect((await owner.post(`${path}/api-keys`, same, elsewhere)).status).toBe(201);
    const other = await owner.post(`${path}/topics`, same, elsewhere);
    expect(other).toMatchObject({ status: 409, body: used });
    const key = service.withKey(project.key);
    expect((await subscribe(key, headers)).status).toBe(201);
    expect(await subscribe(key, headers, email)).toMatchObject({ status: 409, body: used });
    expect((await subscribe(owner, headers, email)).body).toEqual(first.body);
  });

  it("of a send does not replay to another caller of the project, and no second mail is sent", async () => {
    const headers = keyed();
    const to = person();
    const send = (client: Client) =>
      client.post(`${path}/send`, { to, subject: "Hi", html_body: "x" }, headers);
    const first = await send(service.withKey(project.key));
    expect(first.status).toBe(200);
    const { body } = await owner.post(`${path}/api-keys`, { name: "Other" });
    for (const other of [service.withKey(String(body["key"])), owner])
      expect(await send(other)).toMatchObject({
        status: 409,
        body: { error: "this Idempotency-Key was used with another request" },
      });
    expect((await send(service.withKey(project.key))).body).toEqual(first.body);
    expect(await allRows("select 1 from logged_mails where to_email = ?", to)).toHaveLength(1);
  });

  it("stores nothing from which a reader of the database could guess a password in the body", async () => {
    const [at, body] = await (MADE["workspaces.users.create"]?.() ?? []);
    const headers = keyed();
    expect((await owner.post(String(at), body, headers)).status).toBe(201);
    const [kept] = await allRows(
      "select request_hash from idempotent_responses where key = ?",
      headers["Idempotency-Key"],
    );
    const guess = sha256Hex(`POST /api/v1${at}\n`, Buffer.from(JSON.stringify(body)));
    expect(kept?.["request_hash"]).not.toBe(guess);
    expect(kept?.["request_hash"]).toMatch(/^v1\./);
  });

  it("is recognized after a change of the service's key", async () => {
    const headers = keyed();
    const email = person();
    const first = await subscribe(service.withKey(project.key), headers, email);
    const rotated = createService(
      {
        ...quiet,
        ENCRYPTION_KEY: Buffer.alloc(32, 9).toString("base64"),
        ENCRYPTION_KEY_PREVIOUS: TEST_SETTINGS.ENCRYPTION_KEY,
      },
      { now: () => clock.now },
    ).withKey(project.key);
    expect((await subscribe(rotated, headers, email)).body).toEqual(first.body);
    expect((await subscribe(rotated, headers)).status).toBe(409);
  });

  it("creates one thing, even for many simultaneous requests", async () => {
    const headers = keyed();
    const before = await countOf("api_keys");
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => owner.post(`${path}/api-keys`, { name: "Key" }, headers)),
    );
    expect((await countOf("api_keys")) - before).toBe(1);
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body["key"])).size).toBe(1);
    for (const { status, headers: given } of answers.filter((one) => !made.includes(one)))
      expect([status, Number(given.get("Retry-After")) > 0]).toEqual([409, true]);
  });

  it("is free again after a refusal, which created nothing", async () => {
    const headers = keyed();
    const email = person();
    const { body } = await subscribe(owner, {}, email);
    expect((await subscribe(owner, headers, email)).status).toBe(409);
    await owner.delete(`${path}/subscribers/${String(body["id"])}`);
    expect((await subscribe(owner, headers, email)).status).toBe(201);
  });

  it("never repeats work after a crash: the repeated request is told that the outcome is unknown", async () => {
    const headers = keyed();
    const email = person();
    service.d1.before = ([sql = ""]) => {
      if (sql.startsWith('update "idempotent_responses"')) throw new Error("the database is away");
    };
    expect((await subscribe(owner, headers, email)).status).toBe(201);
    service.d1.before = undefined;
    const soon = await subscribe(owner, headers, email);
    expect([soon.status, Number(soon.headers.get("Retry-After"))]).toEqual([409, 60]);
    clock.now += MINUTE;
    const late = await subscribe(owner, headers, email);
    expect(late.status).toBe(409);
    expect(late.headers.get("Retry-After")).toBeNull();
    expect(late.body["error"]).toContain("the outcome of the first request");
  });

  it("keeps the response for a client that disconnects and retries", async () => {
    const held: Promise<unknown>[] = [];
    const ctx = {
      ...systemContext({ ...(await service.deps()), waitUntil: (work) => held.push(work) }, "test"),
      actor: { kind: "project_key", keyId: "k", projectId: "p", rateLimitPerMinute: undefined },
    } as const;
    let made = 0;
    const request = { key: unique("key"), requestHash: "hash" };
    const ask = () => onlyOnce(ctx, "p", request, async () => (made += 1));
    const first = ask();
    expect(held).toHaveLength(1);
    await Promise.all(held);
    expect([await ask(), await first, made]).toEqual([1, 1, 1]);
  });

  it("stays claimed while the first request runs, even if a mail server hangs for minutes", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const ctx = {
      ...systemContext(await service.deps(), "test"),
      actor: { kind: "project_key", keyId: "k", projectId: "p", rateLimitPerMinute: undefined },
    } as const;
    const request = { key: unique("key"), requestHash: "hash" };
    const claimedUntil = "select claimed_until from idempotent_responses where key = ?";
    let made = 0;
    const running = { code: "first_request_running" };
    const slow = onlyOnce(ctx, "p", request, async () => {
      for (let minutes = 0; minutes < 3; minutes++) {
        clock.now += MINUTE - 1;
        vi.advanceTimersByTime(MINUTE - 1);
        await eventually(async () =>
          expect(await allRows(claimedUntil, request.key)).toEqual([
            { claimed_until: clock.now + MINUTE },
          ]),
        );
        const again = onlyOnce(ctx, "p", request, async () => (made += 1));
        await expect(again).rejects.toMatchObject(running);
      }
      return (made += 1);
    });
    expect([await slow, made]).toEqual([1, 1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("stays claimed after an internal error, which may have created something", async () => {
    const headers = keyed();
    service.d1.after = (sql) => {
      if (sql.some((one) => one.includes("insert into subscribers")))
        throw new Error("the answer of the database is lost");
    };
    const email = person();
    expect((await subscribe(owner, headers, email)).status).toBe(500);
    service.d1.after = undefined;
    // Not the conflict of a second subscriber with this email: the key itself is claimed.
    expect(await subscribe(owner, headers, email)).toMatchObject({
      status: 409,
      body: { error: "the first request with this Idempotency-Key is still running" },
    });
  });

  it("expires after 24 hours, and its response is deleted in the following night", async () => {
    const headers = keyed();
    const at = `${path}/api-keys`;
    const { body: first } = await owner.post(at, { name: "Key" }, headers);
    clock.now += DAY - 1;
    expect((await owner.post(at, { name: "Key" }, headers)).body).toEqual(first);
    clock.now += 1;
    const { status, body } = await owner.post(at, { name: "Key" }, headers);
    expect([status, body["key"] === first["key"]]).toEqual([201, false]);
    clock.now += DAY;
    await runScheduled(await service.deps(), EVERY_NIGHT);
    expect(await countOf("idempotent_responses")).toBe(0);
  });

  it("must be 1 to 255 printable ASCII characters, and costs two round trips", async () => {
    for (const key of ["a b", "ä", "x".repeat(256)])
      expect((await subscribe(owner, { "Idempotency-Key": key })).status).toBe(400);
    const costOf = async (headers: Record<string, string>) => {
      service.d1.reset();
      expect((await subscribe(owner, headers)).status).toBe(201);
      return service.d1.roundTrips;
    };
    expect((await costOf(keyed())) - (await costOf({}))).toBe(2);
  });
});

describe("a broadcast with an Idempotency-Key", () => {
  it("starts once, on both surfaces", async () => {
    const templateId = await newId(`${path}/templates`, {
      name: unique("t"),
      subject: "Hi",
      html_body: "x",
    });
    const before = await countOf("broadcasts");
    const headers = { ...keyed(), Prefer: "respond-async" };
    const start = () => owner.post(`${path}/broadcast`, { template_id: templateId }, headers);
    const first = await start();
    expect(first.status).toBe(202);
    expect((await start()).body).toEqual(first.body);
    expect((await countOf("broadcasts")) - before).toBe(1);
    const { body } = await owner.post(`${path}/api-keys`, { name: "Server", type: "sdk" });
    const server = service.withKey(String(body["key"]));
    const news = { subject: "News", html: '<a href="{{unsubscribe_link}}">Leave</a>' };
    const key = keyed();
    const one = await server.post("/broadcast", news, key);
    expect(one.status).toBe(202);
    expect((await server.post("/broadcast", news, key)).body).toEqual(one.body);
    expect((await countOf("broadcasts")) - before).toBe(2);
  });
});
